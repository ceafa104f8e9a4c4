// A participant signs with a certificate whose key is elsewhere: started here, signed there, completed here
// (document-platform facts 1.9).

import { BlobMissing } from '@chancela/service-kernel/blobs'
import { EngineError } from '@chancela/signature-engine'
import type { CertificateVerdict } from '@chancela/signature-engine/judgement'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import { recordAct } from '../../actions/documents/act.ts'
import { type Acting, requireOpen } from '../../actions/participants/participant-access.ts'
import type { Context } from '../../context.ts'
import type { completeSignature as complete, startSignature as start } from '../../contract/signatures.ts'
import { personCpf, requireOwnCertificate } from '../../rules/participant-certificate.ts'
import { refuse } from '../../rules/refuse.ts'
import { contextOf } from '../../rules/security-contexts.ts'
import { isUnmoved } from '../../store/document-reads.ts'
import { evidenceOf, type Origin } from './evidence.ts'
import { finishSignature } from './finish-signature.ts'
import { marksOf } from './marks.ts'
import type { Signing } from './open-signing.ts'
import { type KeyHolder, prepareSignature } from './prepare-signature.ts'
import { isUnderPolicy, planSignature, type SignaturePlan } from './signature-plan.ts'
import { type SignatureToken, sealToken } from './signature-token.ts'
import { certificateResults, unjudgedResults } from './validation-results.ts'

type StartAnswer = Static<typeof start.answer>
type CompleteAnswer = Static<typeof complete.answer>
type Results = NonNullable<StartAnswer['validationResults']>

export type StartRequest = Pick<Static<typeof start.body>, 'signaturePosition' | 'userTimeZoneOffset'>

/**
 * Begins a signature: gives the hash to sign, and the token it is completed with. Nothing is written; others who want to
 * sign the document wait for a moment. `acting` reads the participant, and again where others were waited for.
 */
export async function startSignature(
  signing: Signing,
  acting: () => Promise<Acting>,
  certificate: Certificate,
  request: StartRequest,
  now: Date,
): Promise<StartAnswer> {
  const { context, turns } = signing
  const first = await acting()
  requireOpen(first, 'sign')
  requireCertificatesAllowed(first)
  requireOwnCertificate(first, certificate)
  requireHashSigning(certificate)
  const { results, verdict } = await judged(signing, certificate, now)
  if (!results.isValid) return { ...NOT_BEGUN, validationResults: results }
  await turns.reserve(first.document.id, first.participant.id)
  try {
    const isSame = await isUnmoved(context.store.db, first.document)
    const current = isSame ? first : sameFile(first, await acting())
    const judgedCertificate = { certificate, verdict: verdict! }
    const begun = await beginSignature(signing, current, judgedCertificate, request, context.clock())
    turns.signs(first.participant.id, current.document)
    return { success: true, ...begun, validationResults: results }
  } catch (error) {
    turns.leave(first.participant.id)
    throw error
  }
}

/** The participant, read again: signatures of others may have come meanwhile, but no other file. */
export function sameFile(before: Acting, now: Acting): Acting {
  if (now.document.original_digest === before.document.original_digest) return now
  throw refuse('DocumentChanged', { reason: 'It has another file now.' })
}

export interface JudgedCertificate {
  readonly certificate: Certificate
  readonly verdict: CertificateVerdict
}

async function beginSignature(
  signing: Signing,
  acting: Acting,
  { certificate, verdict }: JudgedCertificate,
  request: StartRequest,
  now: Date,
) {
  const { context } = signing
  const { document, participant } = acting
  requireOpen(acting, 'sign')
  const file = await context.blobs.read(document.current_digest)
  const { token: begun, answer } = await begunSignature(signing, acting, file, { certificate, verdict }, request, now)
  const token: SignatureToken = {
    ...begun,
    documentId: document.id,
    key: document.key,
    participantId: participant.id,
    revision: document.revision,
  }
  return { ...answer, token: sealToken(context, token, now) }
}

/** The hash of a file that is to be signed, and what its token has to tell of it. */
export async function begunSignature(
  signing: Signing,
  acting: Acting,
  file: Buffer,
  { certificate, verdict }: JudgedCertificate,
  request: StartRequest,
  now: Date,
) {
  const plan = planFor(signing, acting, certificate, request, now)
  const holder = { certificate, chain: issuersFor(plan, verdict) }
  const prepared = await preparedOrRefused(file, holder, plan)
  signing.begun.remember(plan.uuid, prepared, file.length)
  const { digest, algorithm } = prepared
  return {
    token: { digest: acting.document.current_digest, plan, certificate, issuers: fingerprintsOf(holder.chain) },
    answer: {
      toSignHash: Buffer.from(digest).toString('base64'),
      digestAlgorithm: digestNames[algorithm.digest] ?? algorithm.digest,
    },
  }
}

export const NOT_BEGUN = { success: false, token: null, toSignHash: null, digestAlgorithm: null } as const

const digestNames: Readonly<Record<string, string>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

export interface CompleteRequest {
  /** The raw signature from the key. */
  readonly signature: Uint8Array
  readonly origin: Origin
  readonly notifies: boolean
}

/** Completes a signature: the file is durable before the document has it, and both or nothing is recorded. */
export const completeSignature = (
  signing: Signing,
  token: SignatureToken,
  request: CompleteRequest,
  now: Date,
): Promise<CompleteAnswer> => signing.turns.complete(token.participantId, () => completed(signing, token, request, now))

async function completed(
  signing: Signing,
  token: SignatureToken,
  { signature, origin, notifies }: CompleteRequest,
  now: Date,
): Promise<CompleteAnswer> {
  const { documentId, participantId, revision } = token
  const { results, signed } = await signedFile(signing, token, signature, now)
  if (!signed) return { success: false, validationResults: results }
  const act = { documentId, participantId, ...actOf(token, signed, { origin, notifies }, revision, now) }
  await recordAct(signing.context, act, now)
  signing.begun.forget(token.plan.uuid)
  return { success: true, validationResults: results }
}

/** What a token tells of the signature it is for. */
type OfSignature = Pick<SignatureToken, 'digest' | 'plan' | 'certificate' | 'issuers'>

interface SignedFile {
  readonly digest: string
  readonly size: number
}

/** The signed file, durable; without it where the certificate can sign no more. */
export async function signedFile(
  signing: Signing,
  token: OfSignature,
  signature: Uint8Array,
  now: Date,
): Promise<{ readonly results: Results; readonly signed?: SignedFile }> {
  const { context } = signing
  const { plan, certificate } = token
  const { results, verdict } = await judged(signing, certificate, now)
  if (!results.isValid) return { results }
  const holder = { certificate, chain: sameIssuers(token, verdict!) }
  const { state } = signing.begun.find(plan.uuid) ?? (await preparedAgain(context, token, holder))
  const file = await finishSignature(signing, state, signature, holder, plan)
  const { digest, size } = await context.blobs.put(file)
  return { results, signed: { digest, size } }
}

/** The act of whoever signed, but for whose it is. */
export const actOf = (
  { plan, certificate, digest }: OfSignature,
  signed: SignedFile,
  { origin, notifies }: Pick<CompleteRequest, 'origin' | 'notifies'>,
  fromRevision: number,
  now: Date,
) =>
  ({
    kind: 'certificate',
    certificate: certificate.der.toString('base64'),
    evidences: evidenceOf(origin, { types: ['Certificate'] }, digest, now),
    signed: { ...signed, fromRevision, isTimestamped: plan.level !== 'B-B' },
    notifies,
  }) as const

/** A context of the document may want electronic signatures alone. */
export function requireCertificatesAllowed({ document }: Pick<Acting, 'document'>): void {
  const context = contextOf(document)
  if (context && !context.allowDigitalSignature)
    throw refuse('CertificateTypeNotAllowed', { securityContext: context.name })
}

/** Keys that sign only whole messages cannot sign a hash. */
export function requireHashSigning({ keyType }: Certificate): void {
  if (keyType !== 'rsa' && keyType !== 'ec') throw refuse('CertificateTypeNotAllowed', { key: keyType ?? 'unknown' })
}

/** The verdict on a certificate that is to sign now, and its results. */
export async function judged(
  { gate }: Signing,
  certificate: Certificate,
  now: Date,
): Promise<{ readonly results: Results; readonly verdict?: CertificateVerdict }> {
  try {
    const verdict = await gate.verdict({ certificate }, now)
    return { verdict, results: resultsOf(verdict, certificate) }
  } catch (error) {
    if (error instanceof EngineError) return { results: unjudgedResults(error.message) }
    throw error
  }
}

const known = new WeakMap<CertificateVerdict, Results>()

/** Many signatures share a verdict, so its results are cached. */
function resultsOf(verdict: CertificateVerdict, certificate: Certificate): Results {
  const results = known.get(verdict) ?? certificateResults(verdict, certificate)
  known.set(verdict, results)
  return results
}

function planFor(
  signing: Signing,
  acting: Acting,
  certificate: Certificate,
  { signaturePosition, userTimeZoneOffset }: StartRequest,
  now: Date,
): SignaturePlan {
  const marks = marksOf(
    signing.context,
    acting,
    {
      kind: 'certificate',
      name: holderOf(certificate).name,
      identifier: personCpf(certificate),
      positions: signaturePosition ? [signaturePosition] : [],
      timeZoneOffset: userTimeZoneOffset,
    },
    now,
  )
  return planSignature(signing, acting, 'certificate', { marks }, now)
}

/** Includes the issuers; the root only where it selects the signature policy, because verifiers have the root. */
const issuersFor = ({ level }: SignaturePlan, { path }: CertificateVerdict): readonly Certificate[] =>
  isUnderPolicy(level) ? path.slice(1) : path.slice(1, -1)

const fingerprintsOf = (certificates: readonly Certificate[]): readonly string[] =>
  certificates.map(({ fingerprint }) => fingerprint)

/** The issuers the signature was started with; when they have changed, it must be started again. */
function sameIssuers({ plan, issuers }: OfSignature, verdict: CertificateVerdict): readonly Certificate[] {
  const chain = issuersFor(plan, verdict)
  if (fingerprintsOf(chain).join() === issuers.join()) return chain
  throw refuse('SignatureTokenInvalidOrExpired', { reason: 'The issuers of the certificate have changed.' })
}

/** Reports to the caller what the file does not allow: a missing page, a missing element, a lock. */
export async function preparedOrRefused(file: Uint8Array, holder: KeyHolder, plan: SignaturePlan) {
  try {
    return await prepareSignature(file, holder, plan)
  } catch (error) {
    if (error instanceof EngineError) throw refuse('DocumentTypeNotSupported', { reason: error.message }, error)
    throw error
  }
}

/** Prepares the signature again from its token; the file may have been swept after a newer version replaced it. */
async function preparedAgain({ blobs }: Context, { digest, plan }: OfSignature, holder: KeyHolder) {
  try {
    return await prepareSignature(await blobs.read(digest), holder, plan)
  } catch (error) {
    if (error instanceof BlobMissing) throw refuse('DocumentChanged', undefined, error)
    throw error
  }
}
