import { EngineError } from '@chancela/signature-engine'
import { CommanderError } from 'commander'
import { AgentProblem } from './agent-problem.ts'
import { type AgentContext, createProgram } from './program.ts'
import { ownTerminal } from './prompt/terminal.ts'
import { ownExecutable } from './update/update.ts'

const exitCodes = { done: 0, failed: 1, usage: 2 } as const

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs one command line and returns the exit code. */
export async function runAgentCli(args: readonly string[], changes: Partial<AgentContext> = {}): Promise<number> {
  const context: AgentContext = {
    print: (text) => void process.stdout.write(`${text}\n`),
    log: (text) => void process.stderr.write(`${text}\n`),
    terminal: ownTerminal(),
    untilStopped,
    program: [process.execPath, ...process.execArgv, process.argv[1]!],
    executable: ownExecutable(),
    ...changes,
  }
  const program = createProgram(context)
  for (const command of [program, ...program.commands]) command.exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // Commander has printed its message already; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (!(error instanceof AgentProblem || error instanceof EngineError)) throw error
    context.log(error.message)
    return exitCodes.failed
  }
}

/** Resolves at the first request to stop. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
