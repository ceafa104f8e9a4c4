import { type EmbeddedSignature, embeddedSignatures, signedDataIn } from '../pades/embedded-signatures.ts'
import { openPdf, type PdfFile, type PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import type { PdfInput } from '../pdf/pdf-source.ts'
import { type PolicyName, policyByOid } from '../policies/policies.ts'
import type { SignatureReport } from '../report/report.ts'
import { type BrokenRule, broken } from './broken-rule.ts'
import { cmsRules, pdfSignatureRules } from './cms-rules.ts'

/** Rules about the signature dictionaries of a PDF, and about the CMS in each. */
export function* pdfRules(
  document: PdfInput,
  { name, policy }: SignatureReport,
  password?: string,
): Iterable<BrokenRule> {
  const file = openPdf(document, password === undefined ? {} : { password })
  const signatures = embeddedSignatures(file).filter(({ kind }) => kind === 'signature')
  const at = signatures.findIndex(({ fieldName }) => fieldName === name)
  const signature = signatures[at]
  if (!signature) return
  yield* at === 0 ? firstSignatureRules(file, signature.dict) : laterSignatureRules(file, signature.dict)
  yield* nameRules(file, signature.dict, policy !== null)
  yield* storeRules(file, policy && policyByOid(policy.oid)?.name)
  yield* contentsRules(file, signature)
}

const transformsOf = (view: PdfView, signature: PdfDict): PdfDict[] => {
  const references = view.resolve(signature.get('Reference'))
  return isArray(references) ? references.map((one) => view.resolve(one)).filter(isDict) : []
}

const isModificationRule = (view: PdfView, reference: PdfDict): boolean =>
  nameOf(view.resolve(reference.get('TransformMethod'))) === 'DocMDP'

/** What VALIDAR's page asks of the first signature, entry by entry (signature-engine facts 3.1). */
function* firstSignatureRules(file: PdfFile, signature: PdfDict): Iterable<BrokenRule> {
  const reference = transformsOf(file, signature).find((one) => isModificationRule(file, one))
  if (!reference) return yield broken('modification-rule-missing')
  const parameters = file.resolve(reference.get('TransformParams'))
  const entry = (key: string) => (isDict(parameters) ? file.resolve(parameters.get(key)) : null)
  const isWritten =
    nameOf(file.resolve(reference.get('Type'))) === 'SigRef' &&
    nameOf(entry('Type')) === 'TransformParams' &&
    nameOf(entry('V')) === '1.2'
  if (!isWritten) yield broken('modification-rule-entries')
  const permission = entry('P')
  if (permission !== 2) yield broken('modification-permission', { P: String(permission) })
  const permissions = file.resolve(file.catalog().get('Perms'))
  if (isDict(permissions) && permissions.has('DocMDP')) yield broken('permissions-in-catalog')
}

function* laterSignatureRules(file: PdfFile, signature: PdfDict): Iterable<BrokenRule> {
  if (transformsOf(file, signature).some((one) => isModificationRule(file, one)))
    yield broken('modification-rule-later')
}

/** The names that ICP-Brasil's policies mandate, and the sub-filters of others. */
function* nameRules(file: PdfFile, signature: PdfDict, hasPolicy: boolean): Iterable<BrokenRule> {
  const filter = nameOf(file.resolve(signature.get('Filter'))) ?? ''
  const subFilter = nameOf(file.resolve(signature.get('SubFilter'))) ?? ''
  if ((filter === 'PBAD_PAdES') !== (subFilter === 'PBAD.PAdES'))
    yield broken('filter-names-mixed', { filter, subFilter })
  if (hasPolicy && subFilter.startsWith('adbe.')) yield broken('sub-filter-without-policy', { subFilter })
}

/** AD-RC and AD-RA keep their evidence in the document, by signature (DOC-ICP-15.03, tables A.18 to A.22). */
function* storeRules(file: PdfFile, promised: PolicyName | null | undefined): Iterable<BrokenRule> {
  if (promised !== 'AD-RC' && promised !== 'AD-RA') return
  const store = file.resolve(file.catalog().get('DSS'))
  if (!isDict(store) || !isDict(file.resolve(store.get('VRI')))) return yield broken('security-store-missing')
  if (promised === 'AD-RA' && !store.has('PBAD_PolicyArtifacts')) yield broken('policy-artifacts-missing')
}

function* contentsRules(file: PdfFile, signature: EmbeddedSignature): Iterable<BrokenRule> {
  const signedData = signedDataIn(signature)
  const [signer] = signedData.signers
  if (signedData.signers.length !== 1) yield broken('several-signers-in-pdf', { signers: signedData.signers.length })
  if (!signer) return
  yield* cmsRules(signedData, signer)
  // adbe.pkcs7.detached is no PAdES: what its CMS may hold is another matter (ISO 32000-1 §12.8.3.3).
  const subFilter = nameOf(file.resolve(signature.dict.get('SubFilter')))
  if (!subFilter?.startsWith('adbe.')) yield* pdfSignatureRules(signedData, signer)
}
