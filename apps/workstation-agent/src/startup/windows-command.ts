import { AgentProblem } from '../agent-problem.ts'

/** What Windows runs of a value under `Run`. */
const LONGEST = 260

/** One command line, as programs of Windows take it apart: CommandLineToArgvW. */
export function windowsCommand(words: readonly string[]): string {
  const command = words.map(quoted).join(' ')
  if (command.length > LONGEST)
    throw new AgentProblem(
      `Windows starts nothing longer than ${LONGEST} characters: put the agent into another folder.`,
    )
  return command
}

/** Backslashes count only before a quotation mark, and the one at the end is such. */
const quoted = (word: string): string => `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
