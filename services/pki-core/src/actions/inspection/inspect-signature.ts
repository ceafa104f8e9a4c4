// What is in a signed file (pki-core facts 4.4).
import { invalidField } from '@chancela/service-kernel/errors'
import { cadesContent } from '@chancela/signature-engine/cades'
import type { SignatureReport } from '@chancela/signature-engine/report'
import type { SignatureType } from '../../contract/documents.ts'
import type { InspectAnswer, InspectRequest } from '../../contract/signature-inspection.ts'
import type { Files, KeptFile, Taker } from '../../parts/files/files.ts'
import { readSignatures, type SignedFile } from '../../parts/signing/read-signatures.ts'
import { signatureResults } from '../../parts/signing/signature-results.ts'
import { signerModel } from '../../parts/signing/signer-model.ts'
import { inContext } from '../../parts/trust/security-contexts.ts'
import type { Culture } from '../../rules/cultures.ts'
import type { Caller } from '../../rules/rights.ts'
import { isCms, signatureTypeOf } from '../../rules/signature-type.ts'
import type { DocumentRow } from '../../store/document-tables.ts'
import { fileOf, findBySignedDigest } from '../../store/documents.ts'
import { documentView } from '../documents/document-view.ts'
import { requiredDocument } from '../documents/documents.ts'
import { digestsIn } from '../signatures/plan-signature.ts'
import { requiredContext, type SigningDependencies } from '../signatures/prepare-signature.ts'
import { keepContent } from '../uploads/uploads.ts'

/** Signers that are validated at most: each may cost questions to authorities. */
export const MOST_VALIDATED = 10

interface Asking {
  readonly culture: Culture
  readonly base: string
  readonly now: Date
}

export async function inspect(
  dependencies: SigningDependencies,
  caller: Caller,
  request: InspectRequest,
  { culture, base, now }: Asking,
): Promise<InspectAnswer> {
  const { files, context } = dependencies
  const taker = { subscriptionId: caller.subscriptionId, base, now }
  const trust = await requiredContext(dependencies, caller, request.securityContextId)
  const kept = await files.take(request.file, 'file', taker)
  const file = await signedFile(dependencies, request, kept, taker)
  const judge = request.validate ? { judge: await trust.judge() } : {}
  const trustsClaimedTime = request.trustUncertifiedSigningTime === true
  const reports = await readSignatures(file, { ...judge, trustsClaimedTime, mostJudged: MOST_VALIDATED, now })
  const content = file.type === 'Cms' ? cadesContent(file.bytes) : null
  const inside = { hasEncapsulatedContent: file.type === 'Cms' ? content !== null : null }
  const missing = missingData(request, reports)
  if (missing) return { ...NOTHING, ...inside, ...missing }
  const asked = { culture, ignoresUnknown: request.ignoreRevocationStatusUnknown === true }
  const options = inContext(trust, asked)
  const validated = (index: number) => request.validate === true && index < MOST_VALIDATED
  const known = await findBySignedDigest(context.store.db, caller.subscriptionId, kept.digest)
  return {
    ...NOTHING,
    ...inside,
    success: true,
    signers: reports.map((report, index) =>
      signerModel(file.type, report, validated(index) ? signatureResults(report, options) : null),
    ) as InspectAnswer['signers'],
    document: known ? await documentView(dependencies, known, base) : null,
    encapsulatedContentType: content && 'Data',
    encapsulatedContent:
      content && request.extractEncapsulatedContent
        ? await keepContent(dependencies, caller, content, kept.name.replace(/\.p7[sm]$/i, ''), base, now)
        : null,
  }
}

const NOTHING: InspectAnswer = {
  success: false,
  failure: null,
  missingDataHash: null,
  signers: [],
  document: null,
  hasEncapsulatedContent: null,
  encapsulatedContentType: null,
  encapsulatedContent: null,
}

/** A detached signature without its data is an answer, which says what is missing. */
function missingData({ dataHashes }: InspectRequest, reports: readonly SignatureReport[]) {
  const isMissing = reports.some(({ findings }) => findings.some(({ code }) => code === 'content-missing'))
  if (!isMissing) return undefined
  return { failure: 'DataFileRequired', missingDataHash: dataHashes?.length ? 'SHA256' : null } as const
}

async function signedFile(
  { files }: SigningDependencies,
  { dataFile, dataHashes }: InspectRequest,
  kept: KeptFile,
  taker: Taker,
): Promise<SignedFile> {
  if (dataFile && dataHashes?.length) throw invalidField('dataFile', 'stands beside dataHashes')
  const bytes = await files.read(kept)
  const type: SignatureType = isCms(bytes) ? 'Cms' : signatureTypeOf(kept)
  if (dataFile) return { type, bytes, content: await files.read(await files.take(dataFile, 'dataFile', taker)) }
  return { type, bytes, ...(dataHashes?.length && { digests: digestsIn(dataHashes) }) }
}

/** The signed file of a document, with its content where that is outside. */
export async function signedFileOfDocument(files: Pick<Files, 'read'>, row: DocumentRow): Promise<SignedFile> {
  const type = row.signature_type
  const bytes = await files.read(fileOf(row, 'signed'))
  if (type === 'Pdf' || (type === 'Cms' && cadesContent(bytes) !== null)) return { type, bytes }
  const original = await files.read(fileOf(row, 'original'))
  // Who signed a signature of others brought their data along, and they were not kept.
  return isCms(original) ? { type, bytes } : { type, bytes, content: original }
}

/** Everybody who signed a document, as its file says. */
export async function documentSigners(dependencies: SigningDependencies, caller: Caller, id: string, now: Date) {
  const row = await requiredDocument(dependencies, caller, id)
  const reports = await readSignatures(await signedFileOfDocument(dependencies.files, row), { now })
  return reports.map((report) => signerModel(row.signature_type, report, null))
}
