// First step of a signature of the earlier generation: a token (pki-core facts 4.4).
import { randomBytes } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Certificate } from '@chancela/signature-engine/x509'
import { builtInContexts } from '../../contract/authentication.ts'
import type { SignatureType } from '../../contract/documents.ts'
import type { StartView } from '../../contract/earlier-signatures.ts'
import type { CertificateView } from '../../contract/models.ts'
import { requireReachable } from '../../parts/signing/extend-signature.ts'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import { beginSignature, PdfFailure } from '../../parts/signing/prepare-signature.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import type { SecurityContext } from '../../parts/trust/security-contexts.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { findPolicy, type KnownPolicy, unsupportedPolicy } from '../../rules/signature-policies.ts'
import { toSign } from '../../rules/to-sign.ts'
import { filledText, signingTimeLine } from '../../rules/visual-text.ts'
import { idOf } from '../../store/authentications.ts'
import { insertEarlier, type PreparedColumns } from '../../store/earlier-signatures.ts'
import type { EarlierSignatureRow } from '../../store/earlier-tables.ts'
import { earlierCallbackContext } from '../../store/sealed-sessions.ts'
import { extraOf, issuersFor, type SigningDependencies, signingCertificate } from '../signatures/prepare-signature.ts'
import type { Draft, DraftInput } from './draft-plans.ts'

export interface EarlierDependencies extends SigningDependencies {
  readonly timestamps: TimestampClient | undefined
}

export interface Asking {
  readonly culture: Culture
  readonly base: string
  readonly now: Date
}

/** What every kind of start has. */
interface CommonStart {
  readonly certificate?: string | null
  readonly signaturePolicyId?: string | null
  readonly securityContextId?: string | null
  readonly callbackArgument?: string | null
  readonly ignoreRevocationStatusUnknown?: boolean | null
}

export interface Starting {
  readonly type: SignatureType
  readonly request: CommonStart
  /** Whether the picture of the signature shows the time. */
  readonly showsTime: boolean
  draft(input: DraftInput): Promise<Draft>
}

/** Bytes of a token: 43 characters of base64url. */
const TOKEN_BYTES = 32

export async function start(
  dependencies: EarlierDependencies,
  { subscriptionId }: Caller,
  { type, request, showsTime, draft }: Starting,
  { culture, base, now }: Asking,
): Promise<StartView> {
  const policy = requiredPolicy(type, request.signaturePolicyId)
  requireReachable(policy.level, dependencies.timestamps)
  const context = await contextFor(dependencies, subscriptionId, policy, request.securityContextId)
  const certificate = request.certificate ? signingCertificate(request.certificate) : undefined
  const { files } = dependencies
  const taker = { subscriptionId, base, now }
  const { plan, file } = await inThisGeneration(draft({ files, taker, culture, certificate: undefined, policy }))
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const id = idOf(token)
  const row: EarlierSignatureRow = {
    id,
    subscription_id: subscriptionId,
    signature_type: type,
    state: certificate ? 'Prepared' : 'Started',
    draft: JSON.stringify(plan),
    time_culture: showsTime ? culture : null,
    context_id: context.id,
    ignores_unknown: request.ignoreRevocationStatusUnknown ? 1 : 0,
    callback_argument: null,
    sealed_callback: sealedCallback(dependencies, id, request.callbackArgument),
    plan: null,
    certificate: null,
    issuers: null,
    to_sign_hash: null,
    certificate_fixed: certificate ? 1 : 0,
    signature: null,
    file_digest: file?.digest ?? null,
    extra_digest: extraOf(plan),
    created_at: now.toISOString(),
    expires_at: plus(now, dependencies.context.settings.Signatures.ValidMinutes * MINUTE).toISOString(),
  }
  const prepared = certificate && (await prepareFor(dependencies, row, certificate, context, culture, now))
  await insertEarlier(dependencies.context.store.db, { ...row, ...prepared?.columns })
  return { token, ...(prepared ? prepared.shown : NOTHING_TO_SIGN) }
}

const sealedCallback = ({ context }: EarlierDependencies, id: string, argument: string | null | undefined) =>
  argument ? context.secrets.seal(argument, earlierCallbackContext(id)) : null

const NOTHING_TO_SIGN = { certificate: null, toSignData: null, toSignHash: null, digestAlgorithmOid: null }

function requiredPolicy(type: SignatureType, id: string | null | undefined): KnownPolicy {
  if (!id) throw refuse('SignaturePolicyRequired')
  const why = unsupportedPolicy(id)
  if (why) throw refuse(why.code, { signaturePolicyId: id, reason: why.reason })
  const policy = findPolicy(id)
  if (!policy) throw refuse('EntityNotFound', { entity: 'SignaturePolicy', id })
  if (policy.type !== type)
    throw refuse('EntityUnusable', {
      signaturePolicyId: id,
      reason: `The policy is for signatures of the type ${policy.type}.`,
    })
  return policy
}

/** A policy of ICP-Brasil says whom to trust; any other needs to be told. */
export async function contextFor(
  { contexts }: Pick<SigningDependencies, 'contexts'>,
  subscriptionId: string,
  policy: Pick<KnownPolicy, 'isBrazilian'> | undefined,
  asked: string | null | undefined,
): Promise<SecurityContext> {
  const id = asked || (policy?.isBrazilian ? builtInContexts.pkiBrazil : undefined)
  if (!id) throw refuse('SecurityContextRequired')
  const found = await contexts.find(subscriptionId, id)
  if (!found) throw refuse('EntityNotFound', { entity: 'SecurityContext', id })
  return found
}

/** This generation has no answers for a PDF that cannot be signed, only errors. */
export async function inThisGeneration<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PdfFailure) throw refuse('InvalidPdf', { reason: error.message }, error)
    throw error
  }
}

export interface PreparedFor {
  readonly columns: PreparedColumns
  readonly shown: Omit<StartView, 'token'> & {
    readonly certificate: CertificateView
    readonly toSignHash: string
    readonly digestAlgorithmOid: string
  }
}

/** Makes a plan of the draft: the certificate must be good, and then it is clear what its key has to sign. */
export async function prepareFor(
  dependencies: SigningDependencies,
  row: EarlierSignatureRow,
  certificate: Certificate,
  context: SecurityContext,
  culture: Culture,
  now: Date,
): Promise<PreparedFor> {
  const options = { culture, ignoresUnknown: row.ignores_unknown === 1 }
  const judged = await judgeSigner(certificate, context, options, now)
  if (!judged.isValid) throw refuse('ValidationError', { validationResults: judged.validationResults })
  const plan = filledPlan(JSON.parse(row.draft) as SignaturePlan, certificate, row.time_culture as Culture | null, now)
  const holder = { certificate, chain: issuersFor(plan.level, judged) }
  const { file_digest: digest } = row
  const bytes = digest === null ? Buffer.alloc(0) : await dependencies.files.read({ digest })
  const prepared = await inThisGeneration(beginSignature(dependencies, bytes, holder, plan))
  const { data, hash, digestAlgorithmOid } = toSign(prepared.toSign)
  return {
    columns: {
      plan: JSON.stringify(plan),
      certificate: certificate.der.toString('base64'),
      issuers: JSON.stringify(holder.chain.map(({ der }) => der.toString('base64'))),
      to_sign_hash: hash,
    },
    shown: { certificate: judged.certificate, toSignData: data, toSignHash: hash, digestAlgorithmOid },
  }
}

/** The time is that of the choice of the certificate: a page may have been open for long by then. */
function filledPlan(draft: SignaturePlan, certificate: Certificate, shows: Culture | null, now: Date): SignaturePlan {
  const plan = { ...draft, at: now.toISOString() }
  if (plan.type !== 'Pdf' || !plan.appearance) return plan
  const lines = (plan.appearance.lines ?? []).map((line) => filledText(line, certificate))
  const time = shows ? [signingTimeLine(now, shows)] : []
  return { ...plan, appearance: { ...plan.appearance, lines: [...lines, ...time] } }
}
