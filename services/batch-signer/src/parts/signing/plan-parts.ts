// What every way of signing a job needs.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { CertificateGate } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Certificate } from '@chancela/signature-engine/x509'
import { ProfileHeld } from '../../rules/conditions.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf, reasonOfEngine } from '../../rules/job-reason.ts'
import type { Profile } from '../../rules/profile.ts'
import { DiskFull, type OutputBytes, type Staged } from '../../upstream/storage/storage.ts'
import { encryptOutput } from './encrypt-output.ts'
import { conditionOf } from './find-condition.ts'
import { armoured } from './pem-armour.ts'
import { piecesOf } from './pieces-of-file.ts'

/** Input of a plan; fixed when the job is picked up. */
export interface PlanParts {
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

/** A signed file before armour and encryption: in memory in one or more pieces, or on disk. */
export type Signed = readonly Uint8Array[] | { readonly path: string }

/** The file to write: armoured and encrypted as the profile says. */
export async function outputOf(
  { profile, format, recipients }: Pick<PlanParts, 'profile' | 'format' | 'recipients'>,
  signed: Signed,
  now: Date,
): Promise<OutputBytes> {
  const output = format === 'Cades' && profile.saveAsPem ? await asPem(signed) : signed
  return recipients.length > 0 ? encryptOutput(recipients, output, now) : output
}

async function asPem(signed: Signed): Promise<OutputBytes> {
  if ('path' in signed) return armoured(createReadStream(signed.path))
  const pieces: Buffer[] = []
  for await (const piece of armoured(inOrder(signed))) pieces.push(piece)
  return pieces
}

export async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** Signs, and maps errors: what is not the file's fault holds its profile. */
export async function orHeld<T>(sign: () => Promise<T>): Promise<T> {
  try {
    return await sign()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const condition = conditionOf(error)
    if (condition) throw new ProfileHeld(condition, error.message, { cause: error })
    throw new JobFailure('job.signing-failed', reasonOfEngine(error), { cause: error })
  }
}

/** What levels above the basic ones need; nothing is awaited for the basic ones. */
export async function helpers({
  profile: { level },
  timestamps,
  judge,
}: Pick<PlanParts, 'profile' | 'timestamps' | 'judge'>) {
  if (level === 'B-B' || level === 'AD-RB') return {}
  const needsJudge = level !== 'B-T' && level !== 'AD-RT'
  return { ...(timestamps && { timestamps }), ...(needsJudge && { judge: await judge() }) }
}

/** Reads a copy that was kept, as often as signing needs it; fails if it is not what it was. */
export async function* unchanged({
  path,
  sha256,
}: Pick<Extract<Staged, { kind: 'file' }>, 'path' | 'sha256'>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of piecesOf(path)) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw changedCopy()
}

export const changedCopy = () => new JobFailure('job.storage-failed', reasonOf('copy-changed'))

/** Writes a signed file under processing/; a full disk throws DiskFull. */
export async function writtenTo(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
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
