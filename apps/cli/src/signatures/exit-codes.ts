import { StartupProblem } from '@chancela/service-kernel/errors'

/** The meaning of each exit code. */
export const exitCodes = {
  /** Everything is done, or valid. */
  done: 0,
  /** Something failed, or is invalid. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Nothing failed, but not everything could be confirmed. */
  indeterminate: 3,
} as const

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command line that cannot be meant as it is; the exit code is that of a wrong one. */
export class UsageProblem extends StartupProblem {}

/** Ends a command with a code other than 0 when its output is complete already. */
export class CommandExit extends Error {
  override readonly name = 'CommandExit'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Throws unless the code is that of success. */
export function leaveWith(exitCode: ExitCode): void {
  if (exitCode !== exitCodes.done) throw new CommandExit(exitCode)
}

/** The part of the help that explains them. */
export const exitCodesHelp = `
Exit codes:
  0  everything is done, or valid
  1  something failed, or is invalid
  2  the command line is wrong
  3  nothing is wrong, but not everything could be confirmed`
