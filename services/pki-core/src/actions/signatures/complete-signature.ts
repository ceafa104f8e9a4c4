// Second step of a signature: the document (pki-core facts 4.3).
import { randomUUID } from 'node:crypto'
import type { DocumentView } from '../../contract/documents.ts'
import { type FoundSigner, finishSignature, signersIn, WrongSignature } from '../../parts/signing/finish-signature.ts'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import { begunSignature, type KeyHolder, type Preparing } from '../../parts/signing/prepare-signature.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import { holderIn } from '../../parts/trust/known-certificates.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { signedFileOf } from '../../rules/signature-type.ts'
import { onlyError } from '../../rules/validation-results.ts'
import { idOf } from '../../store/authentications.ts'
import type { PreparedSignatureRow } from '../../store/document-tables.ts'
import { endPrepared, findPrepared } from '../../store/prepared-signatures.ts'
import { documentView } from '../documents/document-view.ts'
import { type NewDocument, recordDocument } from '../documents/record-document.ts'
import { requiredContext, type SigningDependencies } from './prepare-signature.ts'

/**
 * The state ends with the document, in one transaction: a signature that is not right, a crash or an authority that
 * does not answer leave it as it was, and of two completions one makes the document.
 */
export async function complete(
  dependencies: SigningDependencies,
  caller: Caller,
  request: { readonly state: string; readonly signature: string },
  { culture, base, now }: { readonly culture: Culture; readonly base: string; readonly now: Date },
): Promise<DocumentView> {
  const { store } = dependencies.context
  const row = await findPrepared(store.db, caller.subscriptionId, idOf(request.state), now)
  if (row?.state !== 'Prepared') throw refuse('InvalidToken', { field: 'state' })
  const plan = JSON.parse(row.plan) as SignaturePlan
  const holder = holderIn(row)
  await requireValid(dependencies, caller, row, holder, culture, now)
  const signature = Buffer.from(request.signature, 'base64')
  const document = await signedDocument(dependencies, row, plan, holder, signature, culture)
  const recorded = await store.transaction(async (tx) => {
    if (!(await endPrepared(tx, row.id))) throw refuse('InvalidToken', { field: 'state' })
    return recordDocument(tx, caller, document, now)
  })
  return documentView(dependencies, recorded.document, base, recorded.signers)
}

/** A certificate may have been revoked while its holder looked for the card. */
export async function requireValid(
  dependencies: SigningDependencies,
  caller: Pick<Caller, 'subscriptionId'>,
  row: Pick<PreparedSignatureRow, 'context_id' | 'ignores_unknown'>,
  { certificate }: KeyHolder,
  culture: Culture,
  now: Date,
): Promise<void> {
  const context = await requiredContext(dependencies, caller, row.context_id)
  const options = { culture, ignoresUnknown: row.ignores_unknown === 1 }
  const { isValid, validationResults } = await judgeSigner(certificate, context, options, now)
  if (!isValid) throw refuse('ValidationError', { validationResults })
}

/** The fields that name the file of a signature, and the key of its document. */
type SignedRow = Pick<PreparedSignatureRow, 'file_digest' | 'file_size' | 'file_name' | 'file_type' | 'document_key'>

/** The document of a signature; its bytes are durable, nothing is recorded. */
export async function signedDocument(
  dependencies: Pick<SigningDependencies, 'files'> & Preparing,
  row: SignedRow,
  plan: SignaturePlan,
  holder: KeyHolder,
  signature: Buffer,
  culture: Culture,
): Promise<NewDocument> {
  const { files } = dependencies
  const read = () => files.read({ digest: row.file_digest })
  const { state } = await begunSignature(dependencies, read, holder, plan)
  const content = await contentOf(files, read, plan)
  const signed = await finished(finishSignature(state, signature, holder, plan, content), culture)
  const { digest, size } = await files.put(signed)
  const original = { digest: row.file_digest, size: row.file_size, name: row.file_name, contentType: row.file_type }
  const isDetached = plan.type === 'Xml' && plan.uri !== undefined
  const own = [{ certificate: holder.certificate, date: new Date(plan.at) }]
  return {
    id: randomUUID(),
    key: row.document_key,
    type: plan.type,
    original,
    signed: { digest, size, ...signedFileOf(plan.type, original, { isFurther: plan.isFurther, isDetached }) },
    signer: holder,
    signers: plan.isFurther ? await allSigners(plan, signed, content, own) : own,
  }
}

/** The content of a signature that does not hold it. */
export async function contentOf(
  files: SigningDependencies['files'],
  read: () => Promise<Buffer>,
  plan: SignaturePlan,
): Promise<Buffer | undefined> {
  if (plan.type === 'Xml') return plan.uri === undefined ? undefined : read()
  if (plan.type !== 'Cms') return undefined
  if (plan.data !== undefined) return files.read({ digest: plan.data })
  return plan.detached && !plan.isFurther ? read() : undefined
}

/** A value of another key is told as the validation that it fails. */
export async function finished(finishing: Promise<Buffer>, culture: Culture): Promise<Buffer> {
  try {
    return await finishing
  } catch (error) {
    if (!(error instanceof WrongSignature)) throw error
    throw refuse(
      'ValidationError',
      { validationResults: onlyError('SignatureAlgorithmValidationFailed', culture) },
      error,
    )
  }
}

/** Those who signed before, too. */
async function allSigners(
  { type, at }: SignaturePlan,
  signed: Buffer,
  content: Buffer | undefined,
  own: readonly FoundSigner[],
): Promise<readonly FoundSigner[]> {
  const found = await signersIn(type, signed, content, new Date(at))
  return found.length > 0 ? found : own
}
