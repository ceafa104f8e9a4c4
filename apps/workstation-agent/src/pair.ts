// `chancela-agent pair`: through the agent that runs on this folder, or with one that is started for this signature.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'
import { AgentProblem } from './agent-problem.ts'
import type { PairingResult } from './approvals/pairing.ts'
import { AgentHome } from './home.ts'
import { type AgentOptions, startAgent } from './start-agent.ts'

/** The running agent looks at its folder every other second, and asks the server then. */
const ANSWERED_WITHIN = 20 * SECOND
const LOOK_EVERY = SECOND / 5

const problems: Readonly<Record<Exclude<PairingResult, 'found'> | 'no-screen', string>> = {
  'not-a-code': 'This is not a code: one has eight letters and digits.',
  'not-found': 'No page waits for this code: it is good once and for some minutes.',
  'too-many': 'Too many wrong codes were typed: wait five minutes.',
  offline: 'The server cannot be reached now.',
  'no-screen': 'No window can be opened here: give the code, as in chancela-agent pair ABCD-EFGH.',
}

const found = 'The page was found. Read what it asks for and approve it.'
const opened = 'The window for the code is open.'

/** Hands the code over to the running agent. */
export async function pairThere(folder: string, code: string | undefined): Promise<string> {
  const home = new AgentHome(folder)
  const id = randomUUID()
  home.requestPairing({ id, ...(code !== undefined && { code }) })
  const result = await untilAnswered(home, id)
  if (result !== undefined) return sentenceOf(result)
  home.takePairing()
  throw new AgentProblem('The running agent does not answer.')
}

/** What the running agent answers to what was handed over; undefined where it does not. */
export async function untilAnswered(home: AgentHome, id: string): Promise<string | undefined> {
  for (const until = Date.now() + ANSWERED_WITHIN; Date.now() < until; await sleep(LOOK_EVERY)) {
    const result = home.readPairingAnswer(id)
    if (result !== undefined) return result
  }
  return undefined
}

/** Starts an agent for one signature, and stops it then. */
export async function pairAlone(
  options: AgentOptions,
  code: string | undefined,
  untilStopped: () => Promise<void>,
): Promise<string> {
  const agent = await startAgent(options)
  try {
    await Promise.race([agent.connected, agent.ended, sleep(ANSWERED_WITHIN, undefined, { ref: false })])
    const result = code === undefined ? await shown(agent) : await agent.pair(code)
    options.log?.(sentenceOf(result))
    await Promise.race([agent.approvalOver, agent.ended, untilStopped()])
    return 'The request is over; every PIN is forgotten.'
  } finally {
    await agent.stop()
  }
}

const shown = async (agent: { openCodeWindow(): Promise<boolean> }): Promise<string> =>
  (await agent.openCodeWindow()) ? 'opened' : 'no-screen'

function sentenceOf(result: string): string {
  if (result === 'found') return found
  if (result === 'opened') return opened
  throw new AgentProblem(problems[result as keyof typeof problems] ?? 'The running agent answered something else.')
}
