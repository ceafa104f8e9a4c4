import { createReadStream } from 'node:fs'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { decryptToFile, encryptTo, type RsaPadding, recipientWarnings } from '@chancela/signature-engine/envelope'
import { openPkcs12 } from '@chancela/signature-engine/keys'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import type { CommandContext } from '../command-context.ts'
import { eachFile } from './each-file.ts'
import { inputFiles, produceOutput, readInput, sizeOf, writeOutput } from './files.ts'
import { decryptedName, encryptedName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced } from './produced-files.ts'
import { type PasswordOptions, passwordOf } from './secrets.ts'

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
  const recipients = await recipientsOf(options.to)
  for (const { code, recipient } of recipientWarnings(recipients, context.clock()))
    context.log(`${recipient}: ${warnings[code]}`)
  const outputOf = await outputFor(paths, options.out, encryptedName)
  const outcomes = await eachFile(context, await inputFiles(paths), async (input) => {
    const output = outputOf(input)
    const { bytes } = encryptTo(recipients, createReadStream(input.path), {
      now: context.clock(),
      size: await sizeOf(input.path),
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
  const file = await readInput(options.pkcs12)
  const key = await openPkcs12(file, await passwordOf(context, options, options.pkcs12))
  const outputOf = await outputFor(paths, options.out, decryptedName)
  const allowUnauthenticated = options.allowUnauthenticated === true
  const outcomes = await eachFile(context, inputs, async (input) => {
    const output = outputOf(input)
    const open = (temporary: string) =>
      decryptToFile(key, createReadStream(input.path), temporary, { allowUnauthenticated })
    await produceOutput(output, open, options)
    return { output }
  })
  logProduced(context, outcomes, { json: options.json, done: 'decrypted' })
}
