// `chancela-agent open`: the window of the agent that runs on this folder.
import { randomUUID } from 'node:crypto'
import { AgentProblem } from '../agent-problem.ts'
import { AgentHome } from '../home.ts'
import { untilAnswered } from '../pair.ts'

/** Has the running agent open its window. */
export async function openThere(folder: string): Promise<string> {
  const home = new AgentHome(folder)
  const id = randomUUID()
  home.requestWindow(id)
  const result = await untilAnswered(home, id)
  if (result === 'opened') return 'The window is open.'
  home.takeWindowRequest()
  throw new AgentProblem(result === undefined ? 'The running agent does not answer.' : NO_SCREEN)
}

export const NO_SCREEN = 'No window can be opened here: there is no desktop.'
