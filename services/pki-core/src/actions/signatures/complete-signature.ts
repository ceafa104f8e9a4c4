// Second step of a signature: the document (pki-core facts 4.3).
import { randomUUID } from 'node:crypto'
import { Certificate } from '@chancela/signature-engine/x509'
import type { DocumentView } from '../../contract/documents.ts'
import { type FoundSigner, finishSignature, signersIn, WrongSignature } from '../../parts/signing/finish-signature.ts'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import { type KeyHolder, prepareSignature } from '../../parts/signing/prepare-signature.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { signedFileOf } from '../../rules/signature-type.ts'
import { onlyError } from '../../rules/validation-results.ts'
import { idOf } from '../../store/authentications.ts'
import type { DocumentRow, PreparedSignatureRow } from '../../store/document-tables.ts'
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
  const recorded = await store.transaction(async (tx): Promise<DocumentRow> => {
    if (!(await endPrepared(tx, row.id))) throw refuse('InvalidToken', { field: 'state' })
    return recordDocument(tx, caller, document, now)
  })
  return documentView(dependencies, recorded, base)
}

export const holderIn = ({
  certificate,
  issuers,
}: Pick<PreparedSignatureRow, 'certificate' | 'issuers'>): KeyHolder => ({
  certificate: Certificate.read(Buffer.from(certificate, 'base64')),
  chain: (JSON.parse(issuers) as string[]).map((der) => Certificate.read(Buffer.from(der, 'base64'))),
})

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
  { files }: Pick<SigningDependencies, 'files'>,
  row: SignedRow,
  plan: SignaturePlan,
  holder: KeyHolder,
  signature: Buffer,
  culture: Culture,
): Promise<NewDocument> {
  const bytes = await files.read({ digest: row.file_digest })
  const { state } = await prepareSignature(bytes, holder, plan, (digest) => files.read({ digest }))
  const content = await contentOf(files, bytes, plan)
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
    signers: plan.isFurther ? await allSigners(plan, signed, content, own) : own,
  }
}

/** The content of a signature that does not hold it. */
export async function contentOf(
  files: SigningDependencies['files'],
  bytes: Buffer,
  plan: SignaturePlan,
): Promise<Buffer | undefined> {
  if (plan.type === 'Xml') return plan.uri === undefined ? undefined : bytes
  if (plan.type !== 'Cms') return undefined
  if (plan.data !== undefined) return files.read({ digest: plan.data })
  return plan.detached && !plan.isFurther ? bytes : undefined
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
