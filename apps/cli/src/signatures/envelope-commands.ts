import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import {
  type DecryptOptions,
  decryptToFile,
  decryptWith,
  encryptTo,
  type OpeningKey,
  type RsaPadding,
  recipientWarnings,
} from '@chancela/signature-engine/envelope'
import { openPkcs12 } from '@chancela/signature-engine/keys'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import type { CommandContext } from '../command-context.ts'
import { eachFile } from './each-file.ts'
import {
  type InputFile,
  inputFiles,
  isPlainFile,
  openOnce,
  produceOutput,
  readInput,
  sizeOf,
  writeOutput,
} from './files.ts'
import { decryptedName, encryptedName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced } from './produced-files.ts'
import { type PasswordOptions, passwordOf } from './secrets.ts'
import { DASH, requireBinaryOutput } from './standard-streams.ts'

interface ProducingOptions {
  readonly out?: string
  readonly force?: boolean
  readonly json?: boolean
}

export interface EncryptCommandOptions extends ProducingOptions {
  /** Files with the recipients' certificates. */
  readonly to: readonly string[]
  readonly rsaPadding: RsaPadding
  readonly allowExpired?: boolean
}

/** `chancela encrypt FILE… --to CERTIFICATE`: only the holders of these certificates can open the result. */
export async function encryptCommand(
  context: CommandContext,
  paths: readonly string[],
  options: EncryptCommandOptions,
): Promise<void> {
  const inputs = await inputFiles(paths)
  const outputOf = await outputFor(paths, options.out, encryptedName)
  requirePipe(inputs, outputOf)
  const recipients = await recipientsOf(options.to)
  for (const { code, recipient } of recipientWarnings(recipients, context.clock()))
    context.log(`${recipient}: ${warnings[code]}`)
  const outcomes = await eachFile(context, inputs, async (input) => {
    const { path } = input
    const output = outputOf(input)
    const { bytes } = encryptTo(recipients, openOnce(path), {
      now: context.clock(),
      // Nobody knows how much will come through a pipe: its envelope is written with indefinite lengths.
      ...((await isPlainFile(path)) && { size: await sizeOf(path) }),
      rsaPadding: options.rsaPadding,
      allowExpired: options.allowExpired === true,
    })
    await writeOutput(output, bytes, options)
    return { output }
  })
  logProduced(context, outcomes, { json: options.json, done: 'encrypted' })
}

const warnings: Readonly<Record<ReturnType<typeof recipientWarnings>[number]['code'], string>> = {
  'recipient.signature-only': 'the certificate is not meant for encryption.',
  'recipient.not-yet-valid': 'the certificate is not valid yet.',
  'recipient.expired': 'the certificate has expired.',
}

/** The recipients' certificates: the first of each file, because its chain may follow. */
async function recipientsOf(paths: readonly string[]): Promise<Certificate[]> {
  const recipients: Certificate[] = []
  for (const path of paths) {
    const [holder] = readCertificates(await readInput(path))
    if (!holder) throw new StartupProblem(`There is no certificate in ${path}.`)
    recipients.push(holder)
  }
  return recipients
}

export interface DecryptCommandOptions extends ProducingOptions, PasswordOptions {
  readonly pkcs12: string
  readonly allowUnauthenticated?: boolean
}

/** `chancela decrypt FILE… --pkcs12 FILE`: writes the output only after all of it was decrypted and checked. */
export async function decryptCommand(
  context: CommandContext,
  paths: readonly string[],
  options: DecryptCommandOptions,
): Promise<void> {
  const inputs = await inputFiles(paths)
  const outputOf = await outputFor(paths, options.out, decryptedName)
  requirePipe(inputs, outputOf)
  const file = await readInput(options.pkcs12)
  const key = await openPkcs12(file, await passwordOf(context, options, options.pkcs12))
  const terms = { allowUnauthenticated: options.allowUnauthenticated === true }
  const outcomes = await eachFile(context, inputs, async (input) => {
    const output = outputOf(input)
    if (output === DASH) await writeOutput(output, await checkedInMemory(key, input.path, terms))
    else await produceOutput(output, (temporary) => decryptToFile(key, openOnce(input.path), temporary, terms), options)
    return { output }
  })
  logProduced(context, outcomes, { json: options.json, done: 'decrypted' })
}

/** What is written to a pipe cannot be taken back: all of it is checked before, and nothing lies on a disk meanwhile. */
async function checkedInMemory(key: OpeningKey, path: string, terms: DecryptOptions): Promise<Buffer> {
  try {
    return await decryptWith(key, openOnce(path), terms)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'envelope.too-large-for-memory') throw error
    throw new StartupProblem(`${error.message} Name a file with --out.`, { cause: error })
  }
}

/** Both write bytes that a terminal would take for commands; said before a password is asked for. */
function requirePipe(inputs: readonly InputFile[], outputOf: (input: InputFile) => string): void {
  if (inputs.some((input) => outputOf(input) === DASH)) requireBinaryOutput()
}
