import { extendXades, type OutlinedSignature, validateXades } from '@chancela/signature-engine/xades'
import { closingStep } from './plans.ts'
import { progressOf } from './progress.ts'
import { type AcademicDocument, readDocument } from './read-document.ts'
import { SigningRefusal } from './refusals.ts'
import type { LevelHelpers } from './sign-step.ts'

/**
 * When the archive of a document ends: with the certificate that signed its newest archive timestamp
 * (credentials-platform facts 1.8). Before that day it has to be renewed.
 */
export const archivingExpiringDate = (bytes: Uint8Array): Date => archiveOf(readDocument(bytes)).ends

interface Archive {
  readonly id: string
  readonly ends: Date
}

function archiveOf(document: AcademicDocument): Archive {
  const { steps } = progressOf(document)
  const [closing] = steps.find(({ step }) => step === closingStep(document.kind))!.signatures
  const ends = closing && newestArchive(closing.signature)
  if (ends === undefined || closing?.signature.id === undefined) throw new SigningRefusal('not-archived')
  return { id: closing.signature.id, ends }
}

function newestArchive({ outline }: OutlinedSignature): Date | undefined {
  const newest = outline?.archives.toSorted((a, b) => a.time.getTime() - b.time.getTime()).at(-1)
  return newest?.certificate.notAfter
}

export interface Restamped {
  readonly bytes: Buffer
  readonly archivingExpiringDate: Date
}

/** Renews the archive: validation data of the last archive timestamp, and a new one over everything before it. */
export async function restamp(bytes: Uint8Array, helpers: Required<LevelHelpers>): Promise<Restamped> {
  const known = archiveOf(readDocument(bytes))
  const renewed = await extendXades(bytes, { ...helpers, level: 'AD-RA', signature: known.id })
  const ends = archivingExpiringDate(renewed)
  if (ends <= known.ends)
    throw new SigningRefusal('restamp-useless', { found: ends.toISOString(), known: known.ends.toISOString() })
  await requireVerified(bytes, renewed, known.id, helpers)
  return { bytes: renewed, archivingExpiringDate: ends }
}

/** Nothing but an insertion happened, and the closing signature is still good. */
async function requireVerified(
  before: Uint8Array,
  renewed: Buffer,
  id: string,
  { judge, now }: Required<LevelHelpers>,
): Promise<void> {
  if (!isInsertion(before, renewed)) throw new SigningRefusal('restamp-unverified', { reasons: 'other bytes changed' })
  const { signatures } = await validateXades(renewed, { judge, now })
  const closing = signatures.find(({ name }) => name === id)
  if (closing?.indication === 'valid' && closing.level === 'AD-RA') return
  const reasons = closing?.findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)
  throw new SigningRefusal('restamp-unverified', { reasons: reasons?.join(', ') ?? 'the signature is gone' })
}

/** Whether the longer text is the shorter one with one piece put into it. */
function isInsertion(before: Uint8Array, after: Buffer): boolean {
  const length = Math.min(before.length, after.length)
  let same = 0
  while (same < length && before[same] === after[same]) same++
  const rest = before.subarray(same)
  return after.length > before.length && after.subarray(after.length - rest.length).equals(rest)
}
