import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CertificateGate } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { type CadesLevel, signCades, signCadesStream } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { type PadesLevel, signPades } from '@chancela/signature-engine/pades'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Certificate } from '@chancela/signature-engine/x509'
import { signXades } from '@chancela/signature-engine/xades'
import { ProfileHeld } from '../../rules/conditions.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf, reasonOfEngine } from '../../rules/job-reason.ts'
import { outputName } from '../../rules/output-name.ts'
import type { Profile } from '../../rules/profile.ts'
import { DiskFull, type OutputBytes, type Staged } from '../../upstream/storage/storage.ts'
import { checkSignature } from './check-signature.ts'
import { encryptOutput } from './encrypt-output.ts'
import { conditionOf, requireGood } from './find-condition.ts'
import { armoured } from './pem-armour.ts'
import { piecesOf } from './pieces-of-file.ts'
import type { SignedContent, SigningPlan } from './signing.ts'
import { visibleAppearance } from './visible-appearance.ts'

/** Input of a plan; fixed when the job is picked up. */
interface PlanParts {
  readonly profile: Profile
  readonly format: SignatureFormat
  readonly signer: DigestSigner
  /** Encryption recipients; empty means no encryption. */
  readonly recipients: readonly Certificate[]
  readonly gate: CertificateGate
  /** For levels with a timestamp. */
  readonly timestamps: TimestampClient | undefined
  /** For levels with validation data. */
  readonly judge: () => Promise<Judge>
  /** Largest PDF or XML, in bytes. */
  readonly maxDocumentBytes: number
  /** Of the dates that visible signatures show. */
  readonly timeZone: string
}

/** How one job is signed. */
export function signingPlan(parts: PlanParts): SigningPlan {
  const { profile, format, signer, recipients, gate } = parts
  const encrypts = recipients.length > 0
  return {
    profile,
    format,
    encrypts,
    outputName: (fileName) => outputName(fileName, { ...profile, format, encrypted: encrypts }),
    validateCertificate: async (now) => {
      if (profile.validateCertificate) await requireGood(gate, signer, now)
    },
    sign: async (content, now, scratch) => {
      const signed = await signedAs(parts, content, now, scratch)
      return signedContent(parts, signed, now)
    },
  }
}

/** A signed file before armour and encryption: in memory in one or more pieces, or on disk. */
type Signed = readonly Uint8Array[] | { readonly path: string }

function signedContent(
  { profile, format, signer, recipients }: PlanParts,
  signed: Signed,
  signedAt: Date,
): SignedContent {
  const { certificate, chain } = signer
  const asked = { format, level: profile.level, certificate, chain, now: signedAt }
  return {
    verify: () => checkSignature('path' in signed ? signed : joined(signed), asked),
    output: async (now) => {
      const output = format === 'Cades' && profile.saveAsPem ? await asPem(signed) : signed
      return recipients.length > 0 ? encryptOutput(recipients, output, now) : output
    },
  }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))

async function asPem(signed: Signed): Promise<OutputBytes> {
  if ('path' in signed) return armoured(createReadStream(signed.path))
  const pieces: Buffer[] = []
  for await (const piece of armoured(inOrder(signed))) pieces.push(piece)
  return pieces
}

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** Signs, and maps errors: what is not the file's fault holds its profile. */
async function signedAs(parts: PlanParts, content: Staged, now: Date, scratch: () => Promise<string>): Promise<Signed> {
  try {
    return await signers[parts.format](parts, content, now, scratch)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const condition = conditionOf(error)
    if (condition) throw new ProfileHeld(condition, error.message, { cause: error })
    throw new JobFailure('job.signing-failed', reasonOfEngine(error), { cause: error })
  }
}

type Signer = (parts: PlanParts, content: Staged, now: Date, scratch: () => Promise<string>) => Promise<Signed>

const signers: Readonly<Record<SignatureFormat, Signer>> = {
  Pades: async (parts, content, now) => {
    const document = await documentOf(parts, content)
    const level = parts.profile.level as PadesLevel
    const shown = shownBy(parts, now)
    const options = { now, level, ...shown, ...digestCarriedOn(parts, content), ...(await helpers(parts)) }
    // Verification needs the file in one piece; without it the document is not copied at all.
    if (parts.profile.verify)
      return [await signPades(document, parts.signer, { ...options, output: 'whole', verified: 'later' })]
    return [document, await signPades(document, parts.signer, { ...options, output: 'appended' })]
  },
  Xades: async (parts, content, now) => {
    const document = await documentOf(parts, content)
    const { level } = parts.profile
    return [await signXades(document, parts.signer, { now, level, packaging: 'enveloped', ...(await helpers(parts)) })]
  },
  Cades: async (parts, content, now, scratch) => {
    const level: CadesLevel = parts.profile.level
    const options = { now, level, packaging: 'attached', ...(await helpers(parts)) } as const
    if (content.kind === 'memory') return [await signCades(content.bytes, parts.signer, options)]
    const source = () => unchanged(content)
    const stream = signCadesStream(source, parts.signer, { ...options, length: content.length })
    return { path: await writtenTo(await scratch(), stream) }
  },
}

/** What the signature shows and says besides. */
function shownBy({ profile, signer, timeZone }: PlanParts, now: Date) {
  const appearance = visibleAppearance(profile, signer.certificate, { now, timeZone })
  return {
    ...(appearance && { appearance }),
    ...(profile.signatureReason !== null && { reason: profile.signatureReason }),
    ...(profile.signatureLocation !== null && { location: profile.signatureLocation }),
  }
}

/** The bytes were hashed while they were staged; Ed25519 uses another digest. */
const digestCarriedOn = ({ signer }: PlanParts, content: Staged) =>
  content.kind === 'memory' && content.digestState && signer.certificate.keyType !== 'ed25519'
    ? { digestState: content.digestState }
    : {}

/** What levels above the basic ones need; nothing is awaited for the basic ones. */
async function helpers({ profile: { level }, timestamps, judge }: PlanParts) {
  if (level === 'B-B' || level === 'AD-RB') return {}
  const needsJudge = level !== 'B-T' && level !== 'AD-RT'
  return { ...(timestamps && { timestamps }), ...(needsJudge && { judge: await judge() }) }
}

/** The document in memory: PDF and XML can only be signed there. */
async function documentOf({ format, maxDocumentBytes }: PlanParts, content: Staged): Promise<Buffer> {
  if (content.length > maxDocumentBytes) {
    const facts = { length: content.length, format, limit: maxDocumentBytes }
    throw new JobFailure('job.signing-failed', reasonOf('too-large-to-sign', facts))
  }
  if (content.kind === 'memory') return content.bytes
  const bytes = await readFile(content.path).catch((cause: unknown) => {
    throw new JobFailure('job.storage-failed', reasonOf('copy-unreadable'), { cause })
  })
  if (createHash('sha256').update(bytes).digest('hex') !== content.sha256) throw changedCopy()
  return bytes
}

/** Reads the staged copy, as often as signing needs it; fails if it differs from what was staged. */
async function* unchanged({ path, sha256 }: Extract<Staged, { kind: 'file' }>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of piecesOf(path)) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw changedCopy()
}

const changedCopy = () => new JobFailure('job.storage-failed', reasonOf('copy-changed'))

async function writtenTo(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', flush: true }))
    return path
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new DiskFull('The disk has no room for the signature.', { cause: error })
    if (syscall !== undefined) throw new JobFailure('job.storage-failed', undefined, { cause: error })
    throw error
  }
}
