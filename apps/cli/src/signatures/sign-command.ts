import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { policyByOid, type SigningPolicy } from '@chancela/signature-engine/policies'
import type { DocumentFormat } from '@chancela/signature-engine/report'
import type { CommandContext } from '../command-context.ts'
import { markOf, type VisibleOptions } from './appearance-options.ts'
import { type ClaimOptions, claimsOf } from './claim-options.ts'
import { counted, eachFile } from './each-file.ts'
import { judgementOf, type TrustOptions, timestampsOf } from './engine-tools.ts'
import { UsageProblem } from './exit-codes.ts'
import {
  firstBytes,
  type InputFile,
  inputFiles,
  isPlainFile,
  openInput,
  produceOutput,
  readInput,
  sizeOf,
  writeOutput,
} from './files.ts'
import {
  confirmations,
  type FormatName,
  formatByName,
  formatByStart,
  formatNames,
  formats,
  LARGE_BYTES,
  type Level,
  type SigningTerms,
  signLargeCades,
  signLargePades,
  signTogether,
} from './formats.ts'
import { requireHonoured } from './honoured-options.ts'
import { type KeyOptions, openSigner } from './open-signer.ts'
import { signedName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced, type Produced } from './produced-files.ts'
import { type PdfPasswordOptions, pdfPasswordOf } from './secrets.ts'
import { DASH, requireBinaryOutput } from './standard-streams.ts'

export interface SignCommandOptions extends KeyOptions, TrustOptions, VisibleOptions, ClaimOptions, PdfPasswordOptions {
  readonly out?: string
  readonly format?: FormatName
  readonly detached?: boolean
  readonly pem?: boolean
  readonly coSign?: boolean
  readonly counterSign?: boolean
  readonly signature?: string
  readonly contentTimestamp?: boolean
  readonly mimeType?: string
  readonly description?: string
  readonly xadesInside?: boolean
  readonly level: Level
  readonly icp?: Level
  readonly policy?: string
  readonly tsa?: readonly string[]
  readonly digest?: 'sha256' | 'sha384' | 'sha512'
  readonly reason?: string
  readonly location?: string
  readonly field?: string
  readonly permits?: NonNullable<SigningTerms['pdf']['permits']>
  readonly certify?: NonNullable<SigningTerms['pdf']['certify']>
  readonly pbad?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** `chancela sign IN… --out OUT`: signs files and folders, each file in the format of its kind, or all in one container. */
export async function signCommand(
  context: CommandContext,
  paths: readonly string[],
  options: SignCommandOptions,
): Promise<void> {
  requireTimestamps(options)
  const inputs = await inputFiles(paths)
  requireHonoured(options, await Promise.all(inputs.map(({ path }) => formatOfInput(path, options))))
  if (options.format === 'asic-e' && !options.coSign) return signContainer(context, paths, inputs, options)
  const outputOf = await outputFor(paths, options.out, (path) => signedName(path, formatOf(path, options), options))
  if (inputs.some((input) => outputOf(input) === DASH) && !options.pem) requireBinaryOutput()
  const signer = await openSigner(context, options)
  try {
    const terms = await termsFor(context, signer, options)
    const outcomes = await eachFile(context, inputs, (input, advance) =>
      signFile(input, outputOf(input), signer, terms, options, advance),
    )
    logProduced(context, outcomes, { json: options.json, done: 'signed' })
  } finally {
    await signer.close()
  }
}

/** All inputs in one container: one output, or one failure. */
async function signContainer(
  context: CommandContext,
  paths: readonly string[],
  inputs: readonly InputFile[],
  options: SignCommandOptions,
): Promise<void> {
  const output = options.out ?? signedName(paths[0]!, 'ASiC-E')
  const signer = await openSigner(context, options)
  try {
    const terms = await termsFor(context, signer, options)
    requireFormat(terms.inside, terms.policy)
    const together = { path: paths[0]!, relativePath: output }
    const outcomes = await eachFile(context, [together], async (): Promise<Produced> => {
      const files = inputs.map(async ({ path, relativePath }) => ({
        name: relativePath.replaceAll('\\', '/'),
        content: await readInput(path),
      }))
      await writeOutput(output, await signTogether(await Promise.all(files), signer, terms), options)
      return { output, format: 'ASiC-E', level: terms.level }
    })
    logProduced(context, outcomes, { json: options.json, done: 'signed' })
  } finally {
    await signer.close()
  }
}

async function signFile(
  input: InputFile,
  output: string,
  signer: DigestSigner,
  terms: Omit<SigningTerms, 'contentName'>,
  options: SignCommandOptions,
  advance: (bytes: number) => void,
): Promise<Produced> {
  const format = await formatOfInput(input.path, options)
  requireFormat(format.startsWith('ASiC') ? terms.inside : format, terms.policy)
  const all = { ...terms, contentName: input.relativePath }
  const bytes = await sizeOf(input.path)
  const isFileToFile = output !== DASH && (await isPlainFile(input.path))
  if (format === 'PAdES' && bytes >= LARGE_BYTES && isFileToFile) {
    await produceOutput(output, (temporary) => signLargePades(input.path, temporary, signer, all), options)
    return { output, format, level: terms.level }
  }
  const isLarge = format === 'CAdES' && !terms.coSign && terms.confirms === undefined && bytes >= LARGE_BYTES
  const signed = isLarge
    ? signLargeCades(() => counted(openInput(input.path), advance), bytes, signer, all)
    : await (terms.confirms === undefined ? formats : confirmations)[format](await readInput(input.path), signer, all)
  await writeOutput(output, signed, options)
  return { output, format, level: terms.level }
}

/** The name tells the format; standard input has none, and its first bytes do. */
const formatOfInput = async (path: string, options: SignCommandOptions): Promise<DocumentFormat> =>
  path === DASH && !options.format ? formatByStart(await firstBytes(path)) : formatOf(path, options)

const levelOf = ({ policy, icp, level }: SignCommandOptions): Level =>
  (policy === undefined ? undefined : policyByOid(policy)?.name) ?? icp ?? level

/** Said before the password is asked for. */
function requireTimestamps(options: SignCommandOptions): void {
  const level = levelOf(options)
  if (level !== 'B-B' && level !== 'AD-RB' && options.tsa === undefined)
    throw new UsageProblem(`The level ${level} needs a time-stamping authority: give --tsa URL.`)
}

const formatOf = (path: string, { format, coSign }: SignCommandOptions): DocumentFormat =>
  format ? formatNames[format] : formatByName(path, { coSign })

async function termsFor(
  context: CommandContext,
  signer: DigestSigner,
  options: SignCommandOptions,
): Promise<Omit<SigningTerms, 'contentName'>> {
  const now = context.clock()
  const policy = options.policy === undefined ? undefined : requirePolicy(options.policy)
  const level = levelOf(options)
  if (options.counterSign && level !== 'B-B')
    throw new StartupProblem('A counter-signature has no level and no policy of its own.')
  const { judge } = await judgementOf(options)
  const timestamps = timestampsOf(options.tsa)
  // The version of an ICP-Brasil policy depends on the root that the certificate chains to.
  const chain = level.startsWith('AD-') ? await chainToRoot(signer, judge, now) : undefined
  const encryption = await pdfPasswordOf(context, options)
  const mark = await markOf(options)
  return {
    now,
    level,
    ...(options.digest && { digest: options.digest }),
    detached: options.detached === true,
    pem: options.pem === true,
    coSign: options.coSign === true,
    ...(options.counterSign && { confirms: { which: options.signature } }),
    ...claimsOf(options),
    content: {
      ...(options.contentTimestamp && { contentTimestamp: true }),
      ...(options.mimeType !== undefined && { mimeType: options.mimeType }),
      ...(options.description !== undefined && { description: options.description }),
    },
    inside: options.xadesInside ? 'XAdES' : 'CAdES',
    judge,
    ...(timestamps && { timestamps }),
    ...(policy && { policy }),
    ...(chain && { chain }),
    pdf: {
      ...encryption,
      ...(options.reason !== undefined && { reason: options.reason }),
      ...(options.location !== undefined && { location: options.location }),
      ...(options.field !== undefined && { fieldName: options.field }),
      ...(options.permits !== undefined && { permits: options.permits }),
      ...(options.certify !== undefined && { certify: options.certify }),
      ...(options.pbad && { pdfStandard: 'icp-brasil-strict' as const }),
      ...(mark && { mark }),
    },
  }
}

/** The issuers up to the root, if it is found; the chain stored with the key often ends below the root. */
async function chainToRoot({ certificate, chain }: DigestSigner, judge: Judge, now: Date) {
  const { path, anchor } = await judge.certificate(certificate, { at: now, now, certificates: chain })
  return anchor ? path.slice(1) : undefined
}

function requireFormat(format: DocumentFormat, policy: SigningPolicy | undefined): void {
  if (policy && policy.format !== format)
    throw new StartupProblem(`The policy ${policy.oid} is for ${policy.format}, and the file is signed as ${format}.`)
}

function requirePolicy(oid: string): SigningPolicy {
  const policy = policyByOid(oid)
  if (!policy) throw new StartupProblem(`${oid} is no signature policy of ICP-Brasil.`)
  return policy
}
