import { StartupProblem } from '@chancela/service-kernel/errors'
import type { CommandContext } from '../command-context.ts'
import { readInput } from './files.ts'

export interface PasswordOptions {
  readonly password?: string
  readonly passwordFile?: string
}

/**
 * The password, from the first of: option, file (its first line), environment, prompt at the terminal. Other users can
 * read an option in the process list; the rest they cannot.
 */
export async function passwordOf(context: CommandContext, options: PasswordOptions, what: string): Promise<string> {
  if (options.password !== undefined) return options.password
  if (options.passwordFile !== undefined) return firstLine(await readInput(options.passwordFile))
  const { CHANCELA_PASSWORD } = context.environment
  if (CHANCELA_PASSWORD !== undefined) return CHANCELA_PASSWORD
  const answer = await context.askSecret(`Password of ${what}: `)
  if (answer !== undefined) return answer
  throw new StartupProblem(
    `The password of ${what} is missing: give --password, --password-file or the variable CHANCELA_PASSWORD.`,
  )
}

export interface PdfPasswordOptions {
  readonly pdfPassword?: string
  readonly pdfPasswordFile?: string
}

/** That of encrypted PDFs, from the first of: option, file (its first line), environment; most need none. */
export async function pdfPasswordOf(
  { environment }: CommandContext,
  { pdfPassword, pdfPasswordFile }: PdfPasswordOptions,
): Promise<{ readonly password?: string }> {
  const kept = pdfPasswordFile === undefined ? environment.CHANCELA_PDF_PASSWORD : undefined
  const told = pdfPassword ?? (pdfPasswordFile === undefined ? kept : firstLine(await readInput(pdfPasswordFile)))
  return told === undefined ? {} : { password: told }
}

const firstLine = (bytes: Buffer): string => bytes.toString('utf8').split(/\r?\n/, 1)[0]!
