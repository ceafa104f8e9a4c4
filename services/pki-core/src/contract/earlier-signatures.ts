// Signatures of the earlier generation: started, signed by a key elsewhere, completed (pki-core facts 4.4).
import Type, { type Static, type TObject } from 'typebox'
import { always, Bytes, bytesOf, maybe, orNull, subscriptionHeader, Text } from './common.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES, InlineBytes } from './files.ts'
import { CertificateModel } from './models.ts'
import { markRefusals, pdfMarks } from './pdf-marks.ts'
import { DigestOfRequest, ElementLocation } from './signatures.ts'
import { measurementUnits, pageOptimization, VisualRepresentation } from './visual-representation.ts'

const tags = ['Signatures of the earlier generation']

const common = {
  certificate: maybe(bytesOf(64 * 1024, 'DER. Absent where the browser chooses it.')),
  signaturePolicyId: maybe(Type.String({ maxLength: 64, description: 'Required: SignaturePolicyRequired otherwise.' })),
  securityContextId: maybe(
    Type.String({ maxLength: 64, description: 'Required where the policy is not about ICP-Brasil.' }),
  ),
  callbackArgument: maybe(Type.String({ maxLength: 10_000, description: 'Comes back with the signature.' })),
  ignoreRevocationStatusUnknown: maybe(
    Type.Boolean({ description: 'Whether an unknown revocation status is a warning instead of an error.' }),
  ),
}

const StartResponse = Type.Object(
  {
    token: Type.String({ description: '43 characters, case-sensitive; good for one signature.' }),
    certificate: orNull(CertificateModel),
    toSignData: orNull(Bytes),
    toSignHash: orNull(Bytes),
    digestAlgorithmOid: orNull(Text),
  },
  { $id: 'SignaturePostResponse' },
)

export type StartView = Static<typeof StartResponse>

const startRefusals = [
  ...always,
  'SignaturePolicyRequired',
  'SecurityContextRequired',
  'EntityUnusable',
  'UnsupportedDigestAlgorithm',
  'UnsupportedSignatureAlgorithm',
  'TimestampingUnavailable',
  'PKCertificateMalformed',
  'ValidationError',
  'InvalidToken',
  'FileDownloadFailed',
  'FileTooLarge',
] as const

const starts = <B extends TObject, R extends string>(
  path: string,
  operationId: string,
  summary: string,
  body: B,
  refusals: readonly R[],
) =>
  ({
    method: 'POST',
    path,
    operationId,
    summary,
    tags,
    headers: subscriptionHeader,
    body,
    bodyLimitBytes: INLINE_BODY_BYTES,
    answer: StartResponse,
    access: 'signatures.run',
    refusals: [...startRefusals, ...refusals],
  }) as const

const pades = {
  ...common,
  visualRepresentation: maybe(VisualRepresentation),
  pdfMarks: maybe(pdfMarks),
  bypassMarksIfSigned: maybe(
    Type.Boolean({
      description: 'Whether marks are left out of a signed PDF; else its signatures must allow them. Default true.',
    }),
  ),
  measurementUnits,
  pageOptimization,
  customSignatureFieldName: maybe(Type.String({ minLength: 1, maxLength: 255 })),
  certificationLevel: maybe(
    Type.Enum([
      'NotCertified',
      'CertifiedFormFilling',
      'CertifiedFormFillingAndAnnotations',
      'CertifiedNoChangesAllowed',
    ]),
  ),
  reason: maybe(Type.String({ maxLength: 1000, description: 'Not with a policy of ICP-Brasil, which forbids it.' })),
}

const padesRefusals = [
  ...markRefusals,
  'InvalidPdf',
  'ProtectedPdfError',
  'InvalidVisualRepresentation',
  'PadesPositionNotFilled',
] as const

export const startPades = starts(
  '/Api/PadesSignatures',
  'startPades',
  'Starts the signature of a PDF.',
  Type.Object({ ...pades, pdfToSign: InlineBytes }, { $id: 'PadesSignaturePostRequestV1' }),
  padesRefusals,
)

export const startPadesV2 = starts(
  '/Api/v2/PadesSignatures',
  'startPadesV2',
  'Starts the signature of a PDF, which may be an upload.',
  Type.Object({ ...pades, pdfToSign: FileReference }, { $id: 'PadesSignaturePostRequestV2' }),
  padesRefusals,
)

export type PadesRequest = Omit<Static<typeof startPadesV2.body>, 'pdfToSign'>

const cades = {
  ...common,
  encapsulateContent: maybe(
    Type.Boolean({
      description: 'Whether the content is inside a new signature. Default true where there is content.',
    }),
  ),
}
const dataHashes = maybe(Type.Array(DigestOfRequest, { maxItems: 20 }))

const cadesRefusals = ['InvalidCades', 'MissingDataHash'] as const

export const startCades = starts(
  '/Api/CadesSignatures',
  'startCades',
  'Starts a CMS signature.',
  Type.Object(
    { ...cades, contentToSign: maybe(InlineBytes), cmsToCoSign: maybe(InlineBytes) },
    { $id: 'CadesSignaturePostRequestV1' },
  ),
  cadesRefusals,
)

export const startCadesV2 = starts(
  '/Api/v2/CadesSignatures',
  'startCadesV2',
  'Starts a CMS signature, also by hashes of the data.',
  Type.Object(
    { ...cades, contentToSign: maybe(InlineBytes), cmsToCoSign: maybe(InlineBytes), dataHashes },
    { $id: 'CadesSignaturePostRequestV2' },
  ),
  cadesRefusals,
)

export const startCadesV3 = starts(
  '/Api/v3/CadesSignatures',
  'startCadesV3',
  'Starts a CMS signature of files that may be uploads, also by hashes of the data.',
  Type.Object(
    { ...cades, fileToSign: maybe(FileReference), cmsToCoSign: maybe(FileReference), dataHashes },
    { $id: 'CadesSignaturePostRequestV3' },
  ),
  cadesRefusals,
)

export type CadesRequest = Static<typeof startCadesV3.body>

const NodeName = Type.Object(
  { localName: Type.String({ maxLength: 1000 }), namespace: maybe(Type.String({ maxLength: 2000 })) },
  { $id: 'XmlNodeNameModel' },
)
const IdAttribute = Type.Object({ element: NodeName, attribute: NodeName }, { $id: 'XmlIdAttributeModel' })

/** Some clients send one where a list belongs. */
const listOf = <S extends typeof NodeName | typeof IdAttribute>(schema: S) =>
  maybe(Type.Union([Type.Array(schema, { maxItems: 100 }), schema]))

export const idResolutionTable = maybe(
  Type.Object(
    {
      includeXmlIdAttribute: maybe(Type.Boolean()),
      elementIdAttributes: listOf(IdAttribute),
      globalIdAttributes: listOf(NodeName),
    },
    {
      $id: 'XmlIdResolutionTableModel',
      description: 'Attributes that are ids: Id, ID and id always are, others never.',
    },
  ),
)

export type IdResolutionTable = Static<typeof idResolutionTable>

const xml = {
  ...common,
  xml: InlineBytes,
  signatureElementId: maybe(Type.String({ minLength: 1, maxLength: 255 })),
  signatureElementLocation: maybe(ElementLocation),
}

export const startFullXml = starts(
  '/Api/XmlSignatures/FullXmlSignature',
  'startFullXml',
  'Starts the signature of a whole XML document.',
  Type.Object(xml, { $id: 'FullXmlSignaturePostRequest' }),
  ['InvalidXml'],
)

export const startXmlElement = starts(
  '/Api/XmlSignatures/XmlElementSignature',
  'startXmlElement',
  'Starts the signature of one element of an XML document.',
  Type.Object(
    { ...xml, elementToSignId: Type.String({ minLength: 1, maxLength: 1000 }), idResolutionTable },
    { $id: 'XmlElementSignaturePostRequest' },
  ),
  ['InvalidXml'],
)

export type XmlRequest = Static<typeof startFullXml.body> &
  Partial<Pick<Static<typeof startXmlElement.body>, 'elementToSignId' | 'idResolutionTable'>>

const completeRefusals = [
  ...always,
  'InvalidToken',
  'ValidationError',
  'ToSignHashNotAvailable',
  'ClientSignatureNotSet',
  'ClientSignatureAlreadySet',
  'TimestampingUnavailable',
] as const

const Signature = bytesOf(2048, 'Signature over what was to be signed.')
const SignedBytes = Type.Object({ signature: Signature }, { $id: 'SignaturePostSignedBytesRequest' })

const completes = <A extends TObject>(format: string, name: string, answer: A) =>
  ({
    method: 'POST',
    path: `/Api/${format}/{token}/SignedBytes`,
    operationId: `complete${name}`,
    summary: 'Completes a signature with the value that the key made.',
    tags,
    headers: subscriptionHeader,
    body: SignedBytes,
    answer,
    access: 'signatures.run',
    refusals: completeRefusals,
  }) as const

const finalizes = <A extends TObject>(format: string, name: string, answer: A) =>
  ({
    method: 'POST',
    path: `/Api/${format}/{token}/Finalize`,
    operationId: `finalize${name}`,
    summary: 'Completes a signature whose value came as a pending signature.',
    tags,
    headers: subscriptionHeader,
    answer,
    access: 'signatures.run',
    refusals: completeRefusals,
  }) as const

const result = { callbackArgument: orNull(Text), certificate: CertificateModel }
const SignedPdf = Type.Object({ signedPdf: Bytes, ...result }, { $id: 'PadesSignaturePostSignedBytesResponse' })
const SignedCms = Type.Object({ cms: Bytes, ...result }, { $id: 'CadesSignaturePostSignedBytesResponse' })
const SignedXml = Type.Object({ signedXml: Bytes, ...result }, { $id: 'XmlSignaturePostSignedBytesResponse' })

export const completePades = completes('PadesSignatures', 'Pades', SignedPdf)
export const finalizePades = finalizes('PadesSignatures', 'Pades', SignedPdf)
export const completeCades = completes('CadesSignatures', 'Cades', SignedCms)
export const finalizeCades = finalizes('CadesSignatures', 'Cades', SignedCms)
export const completeXml = completes('XmlSignatures', 'Xml', SignedXml)
export const finalizeXml = finalizes('XmlSignatures', 'Xml', SignedXml)

const completesV2 = (format: string, name: string) =>
  ({
    method: 'POST',
    path: `/Api/v2/${format}/{token}/SignedBytes`,
    operationId: `complete${name}V2`,
    summary: 'Completes a signature; without a value, with the one that came as a pending signature.',
    tags,
    headers: subscriptionHeader,
    body: Type.Object(
      {
        signature: maybe(Signature),
        forceBlobResult: maybe(Type.Boolean({ description: 'Whether the file comes as an upload, however small.' })),
      },
      { $id: 'CompleteSignatureRequest' },
    ),
    answer: Type.Object({ signatureFile: FileReferenceModel, ...result }, { $id: 'SignatureResultModel' }),
    access: 'signatures.run',
    refusals: completeRefusals,
  }) as const

export const completePadesV2 = completesV2('PadesSignatures', 'Pades')
export const completeCadesV2 = completesV2('CadesSignatures', 'Cades')
