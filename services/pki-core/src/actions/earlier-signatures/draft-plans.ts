// From the fields of a start to a plan; without a certificate it is a draft (pki-core facts 4.4).
import { invalidField } from '@chancela/service-kernel/errors'
import type { CertifiedFor } from '@chancela/signature-engine/pades'
import type { CadesRequest, IdResolutionTable, PadesRequest, XmlRequest } from '../../contract/earlier-signatures.ts'
import type { FileReferenceRequest } from '../../contract/files.ts'
import type { Files, KeptFile } from '../../parts/files/files.ts'
import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import type { KnownPolicy } from '../../rules/signature-policies.ts'
import { isCms } from '../../rules/signature-type.ts'
import { type PlanInput, planSignature, sha256In, summaryOf } from '../signatures/plan-signature.ts'
import { markedPdf } from './mark-pdf.ts'

/** What every planner gets: where files come from, and under which policy. */
export interface DraftInput extends Pick<PlanInput, 'taker' | 'culture' | 'certificate'> {
  readonly files: Pick<Files, 'take' | 'read' | 'put'>
  readonly policy: KnownPolicy
}

/** A plan, and the file it is for; none where only hashes of the data are known. */
export interface Draft {
  readonly plan: SignaturePlan
  readonly file: KeptFile | null
}

const take = ({ files, taker }: DraftInput, reference: FileReferenceRequest, field: string): Promise<KeptFile> =>
  files.take({ ...reference, name: reference.name ?? 'file' }, field, taker)

const planInput = async (input: DraftInput, file: KeptFile): Promise<PlanInput> => ({
  ...input,
  file,
  bytes: await input.files.read(file),
  url: undefined,
  level: input.policy.level,
})

const certifications: Readonly<Record<string, CertifiedFor>> = {
  CertifiedFormFilling: 'form-filling',
  CertifiedFormFillingAndAnnotations: 'annotations',
  CertifiedNoChangesAllowed: 'no-changes',
}

export async function draftPades(
  request: PadesRequest & { readonly pdfToSign: FileReferenceRequest },
  input: DraftInput,
): Promise<Draft> {
  const { customSignatureFieldName, certificationLevel, reason } = request
  if (reason && input.policy.level.startsWith('AD-'))
    throw invalidField('reason', 'is forbidden by the policies of ICP-Brasil')
  const file = await withMarks(request, input, await take(input, request.pdfToSign, 'pdfToSign'))
  const { visualRepresentation = null, measurementUnits = null, pageOptimization = null } = request
  const pdfSignatureOptions = { visualRepresentation, measurementUnits, pageOptimization }
  const plan = await planSignature('Pdf', { pdfSignatureOptions }, await planInput(input, file))
  const certify = certifications[certificationLevel ?? 'NotCertified']
  if (certify && plan.isFurther) throw refuse('InvalidPdf', { reason: 'Only the first signature certifies a PDF.' })
  return {
    file,
    plan: {
      ...plan,
      ...(customSignatureFieldName && { fieldName: customSignatureFieldName }),
      ...(certify && { certify }),
      ...(reason && { reason }),
    } as SignaturePlan,
  }
}

/** The file that is signed: with the marks of the request, unless they are left out of one that is signed already. */
async function withMarks(request: PadesRequest, { files, taker }: DraftInput, file: KeptFile): Promise<KeptFile> {
  const { pdfMarks: marks, bypassMarksIfSigned, measurementUnits = null, pageOptimization = null } = request
  if (!marks?.length) return file
  const bytes = await files.read(file)
  if (bypassMarksIfSigned !== false && summaryOf(bytes).signatures > 0) return file
  const asked = { marks, measurementUnits, pageOptimization }
  const { digest, size } = await files.put(await markedPdf({ files, taker }, bytes, asked, 'pdfMarks', 'where-allowed'))
  return { ...file, digest, size }
}

/** A CMS gets a further signature, whose data are inside it, beside it, or known by their hash. */
export async function draftCades(request: CadesRequest, input: DraftInput): Promise<Draft> {
  const { fileToSign, cmsToCoSign, encapsulateContent } = request
  const dataHashes = request.dataHashes?.length ? request.dataHashes : undefined
  if (fileToSign && dataHashes) throw invalidField('dataHashes', 'stand beside the data')
  if (cmsToCoSign)
    return draftFurther(input, cmsToCoSign, { ...(fileToSign && { fileToSign }), ...(dataHashes && { dataHashes }) })
  if (dataHashes) return draftByHash(input, dataHashes, encapsulateContent)
  if (!fileToSign) throw invalidField('fileToSign', 'is required where there is no CMS to sign and no hash')
  const file = await take(input, fileToSign, 'fileToSign')
  const given = await planInput(input, file)
  // Whoever signs a CMS here wants it for content: further signatures have a field of their own.
  const plan = await planSignature('Cms', {}, { ...given, bytes: isCms(given.bytes) ? Buffer.alloc(0) : given.bytes })
  return { file, plan: { ...plan, detached: encapsulateContent === false } as SignaturePlan }
}

async function draftFurther(
  input: DraftInput,
  cms: FileReferenceRequest,
  { fileToSign, dataHashes }: Pick<CadesRequest, 'fileToSign' | 'dataHashes'>,
): Promise<Draft> {
  const file = await take(input, cms, 'cmsToCoSign')
  const given = await planInput(input, file)
  if (!isCms(given.bytes)) throw refuse('InvalidCades', { reason: 'What is to be co-signed is no CMS signature.' })
  const dataFile = fileToSign ? { ...fileToSign, name: fileToSign.name ?? 'file' } : null
  const cmsSignatureOptions = { dataFile, dataHashes: dataHashes ?? null }
  return { file, plan: await planSignature('Cms', { cmsSignatureOptions }, given) }
}

async function draftByHash(
  input: DraftInput,
  dataHashes: NonNullable<CadesRequest['dataHashes']>,
  encapsulateContent: boolean | null | undefined,
): Promise<Draft> {
  if (encapsulateContent) throw invalidField('encapsulateContent', 'needs the content')
  const nothing = { digest: '', size: 0, name: 'file', contentType: '' }
  const plan = await planSignature(
    'Cms',
    {},
    { ...input, file: nothing, bytes: Buffer.alloc(0), url: undefined, level: input.policy.level },
  )
  return { file: null, plan: { ...plan, detached: true, dataHash: sha256In(dataHashes) } as SignaturePlan }
}

export async function draftXml(request: XmlRequest, input: DraftInput): Promise<Draft> {
  const { elementToSignId = null, signatureElementId, signatureElementLocation = null } = request
  requireKnownIds(request.idResolutionTable)
  const file = await take(input, { content: request.xml }, 'xml')
  const type = elementToSignId === null ? 'FullXml' : 'XmlElement'
  const xmlSignatureOptions = { type, elementToSignId, signatureElementLocation } as const
  const plan = await planSignature('Xml', { xmlSignatureOptions }, await planInput(input, file))
  return {
    file,
    plan: {
      ...plan,
      ...(signatureElementId && { id: signatureElementId }),
      ...(input.policy.isPlain && { isPlain: true }),
    } as SignaturePlan,
  }
}

/** The names that verifiers take for ids: signing by any other would give a signature that they cannot follow. */
const usualId = /^id$/i

export function requireKnownIds(table: IdResolutionTable | undefined): void {
  const { globalIdAttributes, elementIdAttributes } = table ?? {}
  const attributes = [
    ...[globalIdAttributes ?? []].flat(),
    ...[elementIdAttributes ?? []].flat().map(({ attribute }) => attribute),
  ]
  for (const { localName } of attributes)
    if (!usualId.test(localName))
      throw invalidField('idResolutionTable', `names the attribute ${localName}, which is no id here`)
}
