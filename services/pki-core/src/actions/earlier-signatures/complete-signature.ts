// Second step of a signature of the earlier generation: the signed file (pki-core facts 4.4).
import type { SignatureType } from '../../contract/documents.ts'
import type { FileView } from '../../contract/files.ts'
import type { CertificateView } from '../../contract/models.ts'
import { finishSignature } from '../../parts/signing/finish-signature.ts'
import { begunSignature } from '../../parts/signing/prepare-signature.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import { holderIn } from '../../parts/trust/known-certificates.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../store/authentications.ts'
import { findEarlier, moveEarlier } from '../../store/earlier-signatures.ts'
import type { EarlierSignatureRow } from '../../store/earlier-tables.ts'
import { earlierCallbackContext } from '../../store/sealed-sessions.ts'
import { remember } from '../certificates/remember-certificate.ts'
import { contentOf, finished, requireValid } from '../signatures/complete-signature.ts'
import { keepContent } from '../uploads/uploads.ts'
import type { Asking, EarlierDependencies } from './start-signature.ts'

export interface Completing {
  readonly type: SignatureType
  readonly token: string
  /** Undefined: the one that came through the browser. */
  readonly signature: string | undefined
}

export interface CompletedSignature {
  readonly bytes: Buffer
  readonly certificate: CertificateView
  readonly callbackArgument: string | null
}

/**
 * The token ends when the signed file is there: a wrong signature, a crash or an authority that does not answer leave it
 * as it was, and of completions at the same moment one is answered with the file.
 */
export async function complete(
  dependencies: EarlierDependencies,
  caller: Caller,
  completing: Completing,
  asking: Asking,
): Promise<CompletedSignature> {
  const { row, signature } = await requiredSigned(dependencies, caller, completing, asking.now)
  const holder = holderIn(row)
  await requireValid(dependencies, caller, row, holder, asking.culture, asking.now)
  const bytes = await signedFile(dependencies, row, signature, asking)
  await dependencies.context.store.transaction(async (tx) => {
    if (!(await moveEarlier(tx, row.id, 'complete'))) throw refuse('InvalidToken')
    await remember(tx, caller.subscriptionId, holder.certificate, holder.chain, asking.now)
  })
  return {
    bytes,
    certificate: certificateModel(holder.certificate, holder.chain),
    callbackArgument: callbackOf(dependencies, row),
  }
}

const callbackOf = (
  { context }: EarlierDependencies,
  { id, sealed_callback, callback_argument }: EarlierSignatureRow,
): string | null =>
  sealed_callback === null ? callback_argument : context.secrets.openText(sealed_callback, earlierCallbackContext(id))

type SignedRow = EarlierSignatureRow & { readonly plan: string; readonly certificate: string; readonly issuers: string }

/** One of the caller's subscription and of this kind, with its signature; any other does not exist for the caller. */
async function requiredSigned(
  { context }: EarlierDependencies,
  { subscriptionId }: Caller,
  { type, token, signature }: Completing,
  now: Date,
): Promise<{ row: SignedRow; signature: Buffer }> {
  const row = await findEarlier(context.store.db, idOf(token), now)
  const isOwn = row?.subscription_id === subscriptionId && row.signature_type === type
  if (!row || !isOwn || row.state === 'Completed') throw refuse('InvalidToken')
  if (signature === undefined && row.signature === null) throw refuse('ClientSignatureNotSet')
  if (signature !== undefined && row.signature !== null) throw refuse('ClientSignatureAlreadySet')
  if (row.certificate === null) throw refuse('ToSignHashNotAvailable')
  return { row: row as SignedRow, signature: Buffer.from(signature ?? row.signature!, 'base64') }
}

async function signedFile(
  dependencies: EarlierDependencies,
  row: SignedRow,
  signature: Buffer,
  { culture, now }: Asking,
): Promise<Buffer> {
  const { files, contexts, timestamps } = dependencies
  const plan = JSON.parse(row.plan) as SignaturePlan
  const holder = holderIn(row)
  const read = async () => (row.file_digest === null ? Buffer.alloc(0) : files.read({ digest: row.file_digest }))
  const { state } = await begunSignature(dependencies, read, holder, plan)
  const content = await contentOf(files, read, plan)
  const context = await contexts.find(row.subscription_id, row.context_id)
  if (!context) throw refuse('InvalidToken')
  const helpers = { timestamps, judge: await context.judge(), now }
  return finished(finishSignature(state, signature, holder, plan, content, helpers), culture)
}

/** Results up to this size come inside the answer, unless an upload is asked for. */
const MOST_INLINE_RESULT = 4 * 1024 * 1024

const names: Readonly<Record<SignatureType | 'MarkedPdf', { readonly name: string; readonly type: string }>> = {
  MarkedPdf: { name: 'marked.pdf', type: 'application/pdf' },
  Pdf: { name: 'signed.pdf', type: 'application/pdf' },
  Cms: { name: 'signature.p7s', type: 'application/pkcs7-signature' },
  Xml: { name: 'signed.xml', type: 'text/xml' },
}

/** A file that was made, as answers show it: inside them, or as an upload. */
export async function resultFile(
  dependencies: EarlierDependencies,
  caller: Caller,
  type: keyof typeof names,
  bytes: Buffer,
  forceBlob: boolean,
  { base, now }: Pick<Asking, 'base' | 'now'>,
): Promise<FileView> {
  const { name, type: mimeType } = names[type]
  if (forceBlob || bytes.length > MOST_INLINE_RESULT) return keepContent(dependencies, caller, bytes, name, base, now)
  return {
    mimeType,
    contentType: mimeType,
    content: bytes.toString('base64'),
    blobToken: null,
    url: null,
    location: null,
    name,
    length: bytes.length,
  }
}
