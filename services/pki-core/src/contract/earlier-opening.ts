// Signed files opened by clients of the earlier generation (pki-core facts 4.4).
import Type, { type Static, type TObject } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Time } from './common.ts'
import { idResolutionTable } from './earlier-signatures.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES } from './files.ts'
import { SignerModel } from './signature-inspection.ts'
import { DigestOfRequest, digestNames } from './signatures.ts'

const tags = ['Signatures of the earlier generation']

const common = {
  file: FileReference,
  validate: maybe(Type.Boolean({ description: 'Default false; of more than 10 signers, the first 10 are.' })),
  defaultSignaturePolicyId: maybe(
    Type.String({ maxLength: 64, description: 'What signatures must keep to that name no policy.' }),
  ),
  acceptableExplicitPolicies: maybe(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'The policies that signatures may name. Default: any.',
    }),
  ),
  securityContextId: maybe(
    Type.String({ maxLength: 64, description: 'Required to validate, unless the default policy is about ICP-Brasil.' }),
  ),
  ignoreRevocationStatusUnknown: maybe(Type.Boolean()),
  trustUncertifiedSigningTime: maybe(Type.Boolean()),
  dataHashes: maybe(Type.Array(DigestOfRequest, { maxItems: 20 })),
  auditPackage: maybe(
    Type.Object(
      { generate: maybe(Type.Boolean()), includeFile: maybe(Type.Boolean()) },
      { $id: 'AuditPackageOptions', description: 'Not made here: refused where it is asked for.' },
    ),
  ),
}

export type OpenRequest = Static<TObject<typeof common>>

const refusals = [
  ...always,
  'SecurityContextRequired',
  'EntityUnusable',
  'UnsupportedDigestAlgorithm',
  'InvalidToken',
  'FileDownloadFailed',
  'FileTooLarge',
] as const

const opens = <B extends TObject, A extends Parameters<typeof Type.Array>[0], R extends string>(
  path: string,
  operationId: string,
  body: B,
  answer: A,
  own: R,
) =>
  ({
    method: 'POST',
    path,
    operationId,
    summary: 'The signatures of a file, validated where it is asked for.',
    tags,
    headers: subscriptionHeader,
    body,
    bodyLimitBytes: INLINE_BODY_BYTES,
    answer,
    access: 'documents.read',
    refusals: [...refusals, own],
  }) as const

const signers = Type.Array(SignerModel)
const auditPackage = Type.Null()

export const openPades = opens(
  '/Api/PadesSignatures/Open',
  'openPades',
  Type.Object(common, { $id: 'OpenSignatureRequestModel' }),
  Type.Object({ signers, auditPackage }, { $id: 'PadesSignatureModel' }),
  'InvalidPdf',
)

const CadesSignatureModel = Type.Object(
  {
    encapsulatedContentType: orNull(Type.Enum(['Data'])),
    hasEncapsulatedContent: Flag,
    encapsulatedContent: orNull(FileReferenceModel),
    signers,
    auditPackage,
  },
  { $id: 'CadesSignatureModel' },
)

const opensCades = opens(
  '/Api/CadesSignatures/Open',
  'openCades',
  Type.Object(
    { ...common, extractEncapsulatedContent: maybe(Type.Boolean()) },
    { $id: 'OpenCadesSignatureRequestModel' },
  ),
  CadesSignatureModel,
  'InvalidCades',
)

export const openCades = { ...opensCades, refusals: [...opensCades.refusals, 'MissingDataHash'] } as const

export type CadesView = Static<typeof CadesSignatureModel>

const XmlSignatureModel = Type.Object(
  {
    type: orNull(Type.Enum(['FullXml', 'XmlElement', 'DetachedResource'])),
    signedElement: Type.Null(),
    messageDigest: SignerModel.properties.messageDigest,
    signature: SignerModel.properties.signature,
    signaturePolicy: SignerModel.properties.signaturePolicy,
    certificate: SignerModel.properties.certificate,
    signingTime: orNull(Time),
    certifiedDateReference: orNull(Time),
    timestamps: SignerModel.properties.timestamps,
    validationResults: SignerModel.properties.validationResults,
  },
  { $id: 'XmlSignatureModel' },
)

const OpenXmlRequest = Type.Object({ ...common, idResolutionTable }, { $id: 'OpenXmlSignatureRequestModel' })

export const openXml = opens(
  '/Api/XmlSignatures/Open',
  'openXml',
  OpenXmlRequest,
  Type.Array(XmlSignatureModel),
  'InvalidXml',
)

export const openXmlV2 = opens(
  '/Api/v2/XmlSignatures/Open',
  'openXmlV2',
  OpenXmlRequest,
  Type.Object({ signatures: Type.Array(XmlSignatureModel), auditPackage }, { $id: 'XmlSignatureResponseModel' }),
  'InvalidXml',
)

export type XmlSignatureView = Static<typeof XmlSignatureModel>

export const readRequiredHashes = {
  method: 'POST',
  path: '/Api/CadesSignatures/RequiredHashes',
  operationId: 'readRequiredHashes',
  summary: 'The digests of the data that are needed to open a CMS; none where the data are inside.',
  tags,
  headers: subscriptionHeader,
  body: FileReference,
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Array(Type.Enum([...digestNames])),
  access: 'documents.read',
  refusals: [...always, 'InvalidToken', 'FileDownloadFailed', 'FileTooLarge', 'InvalidCades'],
} as const
