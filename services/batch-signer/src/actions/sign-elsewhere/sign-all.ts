// The one way on which a key elsewhere signs: all files that can be signed are prepared, the key is asked once, and its
// signatures are kept before anything is done with them. Whoever is killed after that has lost nothing, and whoever is
// killed before has signed nothing.
import { createHash } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { LinkProblem } from '@chancela/service-links'
import type { SigningOutcome } from '../../contract/portal-signing.ts'
import type { SignatureToMake } from '../../parts/approvals/approver-signatures.ts'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { endFile, filesOf, keepSignatures } from '../../store/approver-signings.ts'
import type { ApproverSigningFileRow, ApproverSigningRow } from '../../store/tables.ts'
import { approvingMember } from '../decide.ts'
import type { Elsewhere } from './begin-signing.ts'
import { putIn } from './put-in.ts'
import { isFinal, resultOfRefusal } from './results.ts'

/** The key, as its holder authorized it. */
export interface KeyElsewhere extends Pick<ApproverCertificate, 'means' | 'cloudService'> {
  /** DER. */
  readonly certificate: Buffer
  /** Signs hashes, base64; the signatures are in their order. */
  readonly sign: (hashes: readonly string[], digestAlgorithm: 'SHA-256' | 'SHA-512') => Promise<readonly Buffer[]>
  /** Whether the holder approved a fixed list, so that it is all of it or nothing. */
  readonly allOrNothing: boolean
}

/** Whoever puts signatures in has them for so long before another does it; both may, and the first one counts. */
export const putInBy = (now: Date): Date => plus(now, MINUTE)

/** A file that is ready for the key. */
interface Ready {
  readonly file: ApproverSigningFileRow
  readonly toMake: SignatureToMake
}

/** Has the files of a request signed that nobody else has taken. Throws LinkProblem. */
export async function signAll(
  given: Elsewhere,
  signing: ApproverSigningRow,
  key: KeyElsewhere,
): Promise<SigningOutcome> {
  const { store, clock } = given.context
  const asked = (await filesOf(store.db, signing.id)).filter(({ result }) => result === null)
  const ready: Ready[] = []
  for (const file of asked) {
    const toMake = await prepared(given, signing, file, { key, isFirst: file === asked[0] })
    if (toMake) ready.push({ file, toMake })
  }
  if (ready.length === 0) return 'done'
  if (key.allOrNothing && ready.length < asked.length) return 'changed'
  const signatures = await signed(key, ready)
  const thumbprint = createHash('sha256').update(key.certificate).digest('hex')
  const kept = ready.map(({ file, toMake: { token } }, at) => ({
    jobId: file.job_id,
    token,
    signature: signatures[at]!.toString('base64'),
  }))
  const now = clock()
  await keepSignatures(store, { id: signing.id, thumbprint }, kept, { now, busyUntil: putInBy(now) })
  await putIn(given, { ...signing, thumbprint, kept_at: now.toISOString() })
  return 'done'
}

/** Nothing, where this one cannot be signed: that is told with it, and the others go on. */
async function prepared(
  { context, signatures }: Elsewhere,
  { approver_key: email }: ApproverSigningRow,
  file: ApproverSigningFileRow,
  { key, isFirst }: { readonly key: KeyElsewhere; readonly isFirst: boolean },
): Promise<SignatureToMake | undefined> {
  const { job_id: jobId } = file
  const { certificate, means, cloudService } = key
  try {
    const approver = await approvingMember(context, { jobId, email, now: context.clock() })
    return await signatures.prepare({ jobId, approver, certificate, means, cloudService, judgedBefore: !isFirst })
  } catch (error) {
    if (!isFinal(error)) throw error
    await endFile(context.store, file, resultOfRefusal(error))
    return undefined
  }
}

const names = { sha256: 'SHA-256', sha512: 'SHA-512' } as const

async function signed({ sign }: KeyElsewhere, ready: readonly Ready[]): Promise<readonly Buffer[]> {
  // One certificate, so one kind of key and one algorithm.
  const algorithm = names[ready[0]!.toMake.digestAlgorithm]
  const hashes = ready.map(({ toMake: { digest } }) => Buffer.from(digest).toString('base64'))
  const signatures = await sign(hashes, algorithm)
  if (signatures.length !== ready.length) throw new LinkProblem('not-understood', 'The answer lacks signatures.')
  return signatures
}
