// First step of a signature: what the key has to sign (pki-core facts 4.3).
import { randomBytes } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import type { Prepared } from '@chancela/signature-engine'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { builtInContexts } from '../../contract/authentication.ts'
import type { PrepareAnswer, PrepareRequest } from '../../contract/signatures.ts'
import type { Files, KeptFile, Taker } from '../../parts/files/files.ts'
import { type JudgedSigner, judgeSigner } from '../../parts/signing/judge-signer.ts'
import { beginSignature, type KeyHolder, PdfFailure, type Preparing } from '../../parts/signing/prepare-signature.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import { readCertificate } from '../../parts/trust/known-certificates.ts'
import type { SecurityContext, SecurityContexts } from '../../parts/trust/security-contexts.ts'
import type { Culture } from '../../rules/cultures.ts'
import { readDocumentKey } from '../../rules/document-key.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { SignatureLevel } from '../../rules/signature-policies.ts'
import { signatureTypeOf } from '../../rules/signature-type.ts'
import { signatureToSign } from '../../rules/to-sign.ts'
import { idOf } from '../../store/authentications.ts'
import { findKey } from '../../store/document-keys.ts'
import { insertPrepared } from '../../store/prepared-signatures.ts'
import { planSignature } from './plan-signature.ts'

export interface SigningDependencies extends Preparing {
  readonly context: Context
  readonly contexts: SecurityContexts
  readonly files: Files
}

/** Bytes of a state: 43 characters of base64url. */
const STATE_BYTES = 32

const FAILED = { success: false, state: null, toSign: null, toSignHash: null } as const

export async function prepare(
  dependencies: SigningDependencies,
  caller: Caller,
  request: PrepareRequest,
  { culture, base, now }: { readonly culture: Culture; readonly base: string; readonly now: Date },
): Promise<PrepareAnswer> {
  const { files } = dependencies
  const taker = { subscriptionId: caller.subscriptionId, base, now }
  const context = await requiredContext(dependencies, caller, request.securityContextId)
  const certificate = requiredCertificate(request.certificate)
  const documentKey = await freeKey(dependencies, caller, request.documentKey)
  const file = await files.take(request.file, 'file', taker)
  const ignoresUnknown = request.ignoreRevocationStatusUnknown === true
  const judged = await judgeSigner(certificate, context, { culture, ignoresUnknown }, now)
  const results = { validationResults: judged.validationResults, certificate: judged.certificate }
  if (!judged.isValid) return { ...FAILED, failure: 'CertificateValidationFailed', ...results }
  const level = levelIn(dependencies.context, context)
  const holder = { certificate, chain: issuersFor(level, judged) }
  try {
    const { plan, prepared } = await planned(dependencies, request, { file, holder, level, culture, taker })
    const kept = { caller, plan, holder, context, file, documentKey, ignoresUnknown }
    const state = await keep(dependencies, kept, now)
    return { success: true, failure: null, state, ...signatureToSign(prepared), ...results }
  } catch (error) {
    if (error instanceof PdfFailure) return { ...FAILED, failure: error.failure, ...results }
    throw error
  }
}

interface Asked {
  readonly file: KeptFile
  readonly holder: KeyHolder
  readonly level: SignatureLevel
  readonly culture: Culture
  readonly taker: Taker
}

async function planned(
  dependencies: SigningDependencies,
  request: PrepareRequest,
  { file, holder, level, culture, taker }: Asked,
): Promise<{ plan: SignaturePlan; prepared: Prepared<unknown> }> {
  const { files } = dependencies
  const bytes = await files.read(file)
  const url = request.file.url ?? request.file.location ?? undefined
  const { certificate } = holder
  const type = request.signatureType ?? signatureTypeOf(file)
  const plan = await planSignature(type, request, { files, taker, file, bytes, url, certificate, level, culture })
  const prepared = await beginSignature(dependencies, bytes, holder, plan)
  return { plan, prepared }
}

export async function requiredContext(
  { contexts }: Pick<SigningDependencies, 'contexts'>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  id: string | null | undefined,
): Promise<SecurityContext> {
  const found = id ? await contexts.find(subscriptionId, id) : await contexts.default(subscriptionId)
  if (!found) throw refuse('SecurityContextNotFound', { securityContextId: id })
  return found
}

/** Certificates are not kept here, so that none has an id. */
export function requiredCertificate({ id, content }: PrepareRequest['certificate']): Certificate {
  if (id && !content) throw refuse('EntityNotFound', { entity: 'Certificate', id })
  if (!content) throw invalidField('certificate.content', 'is required')
  return signingCertificate(content)
}

/** A certificate whose key can sign. */
export function signingCertificate(content: string): Certificate {
  const certificate = readCertificate(Buffer.from(content, 'base64'))
  if (!certificate) throw refuse('PKCertificateMalformed')
  if (certificate.keyType !== 'rsa' && certificate.keyType !== 'ec')
    throw refuse('UnsupportedSignatureAlgorithm', { key: certificate.keyType ?? 'unknown' })
  return certificate
}

/** A key that was allocated before, by the same subscription, for no other document. */
export async function freeKey(
  { context }: Pick<SigningDependencies, 'context'>,
  { subscriptionId }: Caller,
  text: string | null | undefined,
): Promise<string | null> {
  if (!text) return null
  const key = readDocumentKey(text)
  const row = key && (await findKey(context.store.db, subscriptionId, key))
  if (!row) throw refuse('DocumentKeyNotFound', { documentKey: text })
  if (row.used_at !== null) throw refuse('DocumentKeyAlreadyUsed', { documentKey: text })
  return row.key
}

export const levelIn = ({ settings }: Context, { id }: SecurityContext): SignatureLevel =>
  id === builtInContexts.pkiBrazil && settings.Signatures.PkiBrazilPolicy === 'AD-RB' ? 'AD-RB' : 'B-B'

/** Verifiers have the root; it goes along where it decides the version of the policy. */
export const issuersFor = (
  level: SignatureLevel,
  { issuers }: Pick<JudgedSigner, 'issuers'>,
): readonly Certificate[] => (level.startsWith('AD-') ? issuers : issuers.slice(0, -1))

interface Kept {
  readonly caller: Caller
  readonly plan: SignaturePlan
  readonly holder: KeyHolder
  readonly context: SecurityContext
  readonly file: KeptFile
  readonly documentKey: string | null
  readonly ignoresUnknown: boolean
}

export const base64Of = ({ der }: Certificate): string => der.toString('base64')

async function keep({ context }: SigningDependencies, kept: Kept, now: Date): Promise<string> {
  const { caller, plan, holder, file } = kept
  const state = randomBytes(STATE_BYTES).toString('base64url')
  await insertPrepared(context.store.db, {
    id: idOf(state),
    subscription_id: caller.subscriptionId,
    state: 'Prepared',
    plan: JSON.stringify(plan),
    certificate: base64Of(holder.certificate),
    issuers: JSON.stringify(holder.chain.map(base64Of)),
    context_id: kept.context.id,
    ignores_unknown: kept.ignoresUnknown ? 1 : 0,
    document_key: kept.documentKey,
    file_digest: file.digest,
    file_size: file.size,
    file_name: file.name,
    file_type: file.contentType,
    extra_digest: extraOf(plan),
    created_at: now.toISOString(),
    expires_at: plus(now, context.settings.Signatures.ValidMinutes * MINUTE).toISOString(),
  })
  return state
}

/** The other bytes that the completion needs. */
export const extraOf = (plan: SignaturePlan): string | null =>
  (plan.type === 'Pdf' ? plan.image : plan.type === 'Cms' ? plan.data : undefined) ?? null
