// The one way on which a key elsewhere signs: as a certificate file in the browser does, with the same steps.
import { Refusal } from '@chancela/service-kernel/errors'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { CertificateAnswer } from '../../../contract/session-page.ts'
import type { CloudOutcome, TokenOutcome } from '../../../contract/session-signing.ts'
import type { SigningWays } from '../../../parts/sessions/signing-ways.ts'
import type { Culture } from '../../../rules/cultures.ts'
import { refuse } from '../../../rules/refuse.ts'
import { statusAt } from '../../../rules/session-states.ts'
import type { SessionRow, SessionSigningRow } from '../../../store/session-tables.ts'
import { sessionById, sessionDocuments } from '../../../store/sessions.ts'
import type { SigningDependencies } from '../../signatures/prepare-signature.ts'
import { setCertificate } from '../prepare-session.ts'
import { requirePending } from '../session-page.ts'
import { submitSignatures } from '../submit-signatures.ts'

export interface WayDependencies extends SigningDependencies {
  readonly ways: SigningWays
}

/** Of the call that begins or ends a signature elsewhere. */
export interface Asking {
  readonly culture: Culture
  /** Where the caller reached the service. */
  readonly base: string
  readonly now: Date
}

/** What both ways may end with. */
export type SigningOutcome = TokenOutcome & CloudOutcome

interface KeyElsewhere {
  /** DER, base64. */
  readonly certificate: string
  /** Signs SHA-256 hashes, base64; the signatures are in their order. */
  readonly sign: (hashes: readonly string[]) => Promise<readonly Buffer[]>
}

/** Signs everything that the person was shown, or nothing; throws what `outcomeOf` knows. */
export async function signElsewhere(
  dependencies: WayDependencies,
  { session_id, documents }: Pick<SessionSigningRow, 'session_id' | 'documents'>,
  { certificate, sign }: KeyElsewhere,
  { culture, base }: Asking,
): Promise<SigningOutcome> {
  const { clock } = dependencies.context
  const before = await requiredSession(dependencies, session_id)
  requirePending(before, clock())
  // Whoever adds or removes a document after this changes the revision, and nothing is prepared.
  if ((await shownDocuments(dependencies, before)) !== documents) return 'changed'
  const prepared = await setCertificate(dependencies, before, certificate, { culture, base, now: clock() })
  if (!prepared.success) return rejected(prepared)
  const signatures = await sign(prepared.documents.map(({ toSignHash }) => toSignHash.value))
  const given = prepared.documents.map(({ id }, at) => ({
    documentId: id,
    signature: signatures[at]?.toString('base64') ?? '',
  }))
  // The key may have taken its time.
  const session = await requiredSession(dependencies, session_id)
  await submitSignatures(
    dependencies,
    session,
    { state: prepared.state!, signatures: given },
    { culture, now: clock() },
  )
  return 'signed'
}

async function requiredSession({ context }: WayDependencies, id: string): Promise<SessionRow> {
  const session = await sessionById(context.store.db, id)
  if (!session) throw refuse('SignatureSessionNotFound', { id })
  return session
}

/** The documents of a session, as a row keeps them. */
export async function shownDocuments({ context }: WayDependencies, { id }: Pick<SessionRow, 'id'>): Promise<string> {
  const rows = await sessionDocuments(context.store.db, id)
  if (rows.length === 0) throw refuse('BadSignatureSessionOperation', { reason: 'It has no document yet.' })
  return JSON.stringify(rows.map((row) => row.id))
}

const unmet = { Cpf: 'cpf-mismatch', CryptoDevice: 'certificate-type' } as const

const rejected = ({ unmetRequirement }: Pick<CertificateAnswer, 'unmetRequirement'>): SigningOutcome =>
  unmetRequirement ? unmet[unmetRequirement] : 'certificate-invalid'

/** Outcomes of the refusals that signing with any certificate can give. */
const refusals: Readonly<Partial<Record<ErrorCode, SigningOutcome>>> = {
  SignatureSessionNotFound: 'not-pending',
  BackgroundProcessing: 'not-pending',
  PKCertificateMalformed: 'certificate-invalid',
  UnsupportedSignatureAlgorithm: 'certificate-invalid',
  TimestampingUnavailable: 'timestamp-unavailable',
}

/** The outcome of a failure that is none of the way itself. */
export async function outcomeOf(
  dependencies: WayDependencies,
  { session_id }: Pick<SessionSigningRow, 'session_id'>,
  error: unknown,
): Promise<SigningOutcome> {
  if (!(error instanceof Refusal)) return 'failed'
  if (error.code === 'BadSignatureSessionOperation') return movedOn(dependencies, session_id)
  // Names a document where the signature is wrong, else the certificate is.
  if (error.code === 'ValidationError') return error.details?.documentId ? 'signature-invalid' : 'certificate-invalid'
  return refusals[error.code as ErrorCode] ?? 'failed'
}

async function movedOn({ context }: WayDependencies, sessionId: string): Promise<SigningOutcome> {
  const session = await sessionById(context.store.db, sessionId)
  return session && statusAt(session, context.clock()) === 'Pending' ? 'changed' : 'not-pending'
}

/** The CPF that the session asks for. */
export const requiredCpf = ({ requirements }: Pick<SessionRow, 'requirements'>): string | undefined =>
  (JSON.parse(requirements) as readonly { type: string; argument?: string }[]).find(({ type }) => type === 'Cpf')
    ?.argument
