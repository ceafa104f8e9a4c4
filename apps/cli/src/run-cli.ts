import { Refusal, StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { type Command, CommanderError } from 'commander'
import { type CommandContext, defaultContext } from './command-context.ts'
import { rootCommand } from './root-command.ts'
import { CommandExit, exitCodes, UsageProblem } from './signatures/exit-codes.ts'
import { addSignatureCommands, signatureCommands } from './signatures/signature-program.ts'
import { untilStopped } from './until-stopped.ts'
import { version } from './version.ts'

/** Runs one command line and returns the exit code; a problem the user can fix is one sentence without a stack. */
export async function runCli(args: readonly string[], changes: Partial<CommandContext> = {}): Promise<number> {
  const context: CommandContext = { ...defaultContext, services: [], version, untilStopped, ...changes }
  const program = await programFor(args, context, changes)
  for (const command of [program, ...descendants(program)]) command.exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeOf(error, context)
  }
}

/** Whoever signs a file waits for no service to be loaded: they take longer than it does, and a hundred megabytes. */
async function programFor(
  [command = '']: readonly string[],
  context: CommandContext,
  changes: Partial<CommandContext>,
): Promise<Command> {
  if (signatureCommands.includes(command)) return withSignatureCommands(rootCommand(context), context)
  const [{ createProgram }, { services }] = await Promise.all([import('./program.ts'), import('./services.ts')])
  return createProgram({ ...context, services: changes.services ?? services })
}

function withSignatureCommands(program: Command, context: CommandContext): Command {
  addSignatureCommands(program, context)
  return program
}

const descendants = (command: Command): Command[] => command.commands.flatMap((child) => [child, ...descendants(child)])

function exitCodeOf(error: unknown, { log }: CommandContext): number {
  if (error instanceof CommandExit) return error.exitCode
  // Commander has printed its message already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (!(error instanceof StartupProblem || error instanceof Refusal || error instanceof EngineError)) throw error
  log(error.message)
  return error instanceof UsageProblem ? exitCodes.usage : exitCodes.failed
}
