// What is in a signed file, for clients of the earlier generation (pki-core facts 4.4).
import { invalidField } from '@chancela/service-kernel/errors'
import { cadesContent } from '@chancela/signature-engine/cades'
import type { SignatureReport } from '@chancela/signature-engine/report'
import type { SignatureType } from '../../contract/documents.ts'
import type { CadesView, OpenRequest, XmlSignatureView } from '../../contract/earlier-opening.ts'
import type { FileReferenceRequest } from '../../contract/files.ts'
import type { ValidationResults } from '../../contract/models.ts'
import type { SignerView } from '../../contract/signature-inspection.ts'
import type { DigestNameView } from '../../contract/signatures.ts'
import { readSignatures } from '../../parts/signing/read-signatures.ts'
import { signatureResults } from '../../parts/signing/signature-results.ts'
import { digestNames, signerModel } from '../../parts/signing/signer-model.ts'
import { type AcceptedPolicies, acceptedPolicies, policyProblem } from '../../rules/opened-policies.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { failed, type ResultOptions } from '../../rules/validation-results.ts'
import { MOST_VALIDATED } from '../inspection/inspect-signature.ts'
import { digestsIn } from '../signatures/plan-signature.ts'
import type { SigningDependencies } from '../signatures/prepare-signature.ts'
import { keepContent } from '../uploads/uploads.ts'
import { type Asking, contextFor } from './start-signature.ts'

interface Opened {
  readonly bytes: Buffer
  readonly reports: readonly SignatureReport[]
  readonly signers: SignerView[]
}

async function bytesOf({ files }: SigningDependencies, caller: Caller, file: FileReferenceRequest, asking: Asking) {
  const taker = { subscriptionId: caller.subscriptionId, base: asking.base, now: asking.now }
  return files.read(await files.take({ ...file, name: file.name ?? 'file' }, 'file', taker))
}

async function opened(
  dependencies: SigningDependencies,
  caller: Caller,
  type: SignatureType,
  request: OpenRequest,
  asking: Asking,
): Promise<Opened> {
  const { now, culture } = asking
  if (request.auditPackage?.generate) throw invalidField('auditPackage.generate', 'asks for what is not made here')
  const accepted = acceptedPolicies(request.defaultSignaturePolicyId, request.acceptableExplicitPolicies)
  const isValidated = request.validate === true
  const context = isValidated
    ? await contextFor(dependencies, caller.subscriptionId, accepted.usual, request.securityContextId)
    : undefined
  const bytes = await bytesOf(dependencies, caller, request.file, asking)
  const digests = request.dataHashes?.length ? { digests: digestsIn(request.dataHashes) } : {}
  const reports = await readSignatures(
    { type, bytes, ...digests },
    {
      ...(context && { judge: await context.judge() }),
      trustsClaimedTime: request.trustUncertifiedSigningTime === true,
      mostJudged: MOST_VALIDATED,
      now,
    },
  )
  const options = { culture, ignoresUnknown: request.ignoreRevocationStatusUnknown === true }
  const signers = reports.map((report, at) =>
    readable(
      signerModel(type, report, isValidated && at < MOST_VALIDATED ? resultsOf(report, options, accepted) : null),
    ),
  )
  return { bytes, reports, signers }
}

/** Clients read the digest of a policy without asking whether there is one. */
const readable = (signer: ReturnType<typeof signerModel>): SignerView =>
  (signer.signaturePolicy?.digest ? signer : { ...signer, signaturePolicy: null }) as SignerView

function resultsOf(report: SignatureReport, options: ResultOptions, accepted: AcceptedPolicies): ValidationResults {
  const results = signatureResults(report, options)
  if (report.kind === 'document-timestamp') return results
  const problem = policyProblem(
    {
      named: report.policy ? (report.policy.name?.split(' ')[0] ?? null) : undefined,
      hasTimestamp: report.timestamps.some(({ kind, indication }) => kind === 'signature' && indication === 'valid'),
    },
    accepted,
  )
  return problem ? { ...results, errors: [...results.errors, failed(problem, options.culture)] } : results
}

export async function openPades(
  dependencies: SigningDependencies,
  caller: Caller,
  request: OpenRequest,
  asking: Asking,
) {
  const { signers } = await opened(dependencies, caller, 'Pdf', request, asking)
  return { signers, auditPackage: null }
}

export async function openCades(
  dependencies: SigningDependencies,
  caller: Caller,
  request: OpenRequest & { readonly extractEncapsulatedContent?: boolean | null },
  asking: Asking,
): Promise<CadesView> {
  const { bytes, reports, signers } = await opened(dependencies, caller, 'Cms', request, asking)
  const isMissing = reports.some(({ findings }) => findings.some(({ code }) => code === 'content-missing'))
  if (request.validate && isMissing) throw refuse('MissingDataHash', { algorithms: requiredIn(reports).join(', ') })
  const content = cadesContent(bytes)
  return {
    hasEncapsulatedContent: content !== null,
    encapsulatedContentType: content && 'Data',
    encapsulatedContent:
      content && request.extractEncapsulatedContent
        ? await keepContent(dependencies, caller, content, 'content', asking.base, asking.now)
        : null,
    signers,
    auditPackage: null,
  }
}

const requiredIn = (reports: readonly SignatureReport[]): DigestNameView[] => [
  ...new Set(reports.flatMap(({ values }) => digestNames[values?.contentDigest?.algorithm ?? ''] ?? [])),
]

/** The digests of its data that a detached CMS needs. */
export async function requiredHashes(
  dependencies: SigningDependencies,
  caller: Caller,
  file: FileReferenceRequest,
  asking: Asking,
): Promise<DigestNameView[]> {
  const bytes = await bytesOf(dependencies, caller, file, asking)
  const reports = await readSignatures({ type: 'Cms', bytes }, { now: asking.now })
  return cadesContent(bytes) === null ? requiredIn(reports) : []
}

export async function openXml(
  dependencies: SigningDependencies,
  caller: Caller,
  request: OpenRequest,
  asking: Asking,
): Promise<XmlSignatureView[]> {
  const { signers } = await opened(dependencies, caller, 'Xml', request, asking)
  return signers.map((signer) => ({
    type: signer.xmlSignedEntityType,
    signedElement: null,
    messageDigest: signer.messageDigest,
    signature: signer.signature,
    signaturePolicy: signer.signaturePolicy,
    certificate: signer.certificate,
    signingTime: signer.signingTime,
    certifiedDateReference: signer.certifiedDateReference,
    timestamps: signer.timestamps,
    validationResults: signer.validationResults,
  }))
}
