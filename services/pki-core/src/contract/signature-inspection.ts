// What is in a signed file, and whether it is to be believed (pki-core facts 4.4).
import Type, { type Static } from 'typebox'
import { always, Bytes, Flag, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { DocumentModel } from './documents.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES } from './files.ts'
import { CertificateModel, SignatureParametersModel, ValidationResultsModel } from './models.ts'
import { DigestOfRequest } from './signatures.ts'

const tags = ['Signatures']

/** A digest as a file holds it; the algorithm is null where it is none that clients know. */
const DigestInFile = Type.Object(
  {
    algorithm: orNull(Type.Enum(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256'])),
    value: Bytes,
    hexValue: Text,
  },
  { $id: 'DigestInFile' },
)

export const CadesTimestampModel = Type.Object(
  {
    genTime: orNull(Time),
    serialNumber: orNull(Type.String({ description: 'Decimal.' })),
    messageImprint: Type.Object(
      { algorithm: DigestInFile.properties.algorithm, value: orNull(Bytes), hexValue: orNull(Text) },
      { $id: 'MessageImprintModel' },
    ),
    encapsulatedContentType: Type.Enum(['TstInfo']),
    hasEncapsulatedContent: Flag,
  },
  { $id: 'CadesTimestampModel' },
)

export const SignerModel = Type.Object(
  {
    messageDigest: orNull(DigestInFile),
    signature: orNull(
      Type.Object(
        {
          algorithmIdentifier: orNull(SignatureParametersModel.properties.signatureAlgorithm),
          value: Bytes,
          hexValue: Text,
        },
        { $id: 'SignatureAlgorithmAndValueModel' },
      ),
    ),
    signaturePolicy: orNull(
      Type.Object(
        { oid: Text, uri: orNull(Text), digest: orNull(DigestInFile) },
        { $id: 'SignaturePolicyIdentifierModel' },
      ),
    ),
    signingTime: orNull(Time),
    certifiedDateReference: orNull(Time),
    timestamps: Type.Array(CadesTimestampModel),
    isDocumentTimestamp: Flag,
    signatureFieldName: orNull(Text),
    validationResults: orNull(ValidationResultsModel),
    hasLtv: orNull(Flag),
    xmlSignedEntityType: orNull(Type.Enum(['FullXml', 'XmlElement', 'DetachedResource'])),
    certificate: orNull(CertificateModel),
    date: orNull(Time),
  },
  { $id: 'SignerModel' },
)

export type SignerView = Static<typeof SignerModel>

export const readSigners = {
  method: 'GET',
  path: '/api/documents/{id}/signers',
  operationId: 'readSigners',
  summary: 'Everybody who signed a document, as its signatures say.',
  tags: ['Documents'],
  headers: subscriptionHeader,
  answer: Type.Array(SignerModel),
  access: 'documents.read',
  refusals: [...always, 'DocumentNotFound'],
} as const

export const inspectSignature = {
  method: 'PUT',
  path: '/api/signature-inspection',
  operationId: 'inspectSignature',
  summary: 'The signatures of a file, validated where it is asked for.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      file: FileReference,
      validate: maybe(Type.Boolean({ description: 'Default false; of more than 10 signers, the first 10 are.' })),
      securityContextId: maybe(
        Type.String({ maxLength: 64, description: 'Default: the security context of the subscription.' }),
      ),
      ignoreRevocationStatusUnknown: maybe(Type.Boolean()),
      trustUncertifiedSigningTime: maybe(
        Type.Boolean({ description: 'Whether a certificate is judged at the time its holder claims. Default false.' }),
      ),
      dataFile: maybe(FileReference),
      dataHashes: maybe(Type.Array(DigestOfRequest, { maxItems: 20 })),
      extractEncapsulatedContent: maybe(Type.Boolean()),
    },
    { $id: 'InspectSignatureRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object(
    {
      success: Flag,
      failure: orNull(Type.Enum(['DataFileRequired'])),
      missingDataHash: orNull(Type.Enum(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256'])),
      signers: Type.Array(SignerModel),
      document: orNull(DocumentModel),
      hasEncapsulatedContent: orNull(Flag),
      encapsulatedContentType: orNull(Type.Enum(['Data'])),
      encapsulatedContent: orNull(FileReferenceModel),
    },
    { $id: 'InspectSignatureResponse' },
  ),
  access: 'documents.read',
  refusals: [
    ...always,
    'SecurityContextNotFound',
    'InvalidToken',
    'FileDownloadFailed',
    'FileTooLarge',
    'InvalidPdf',
    'InvalidXml',
    'InvalidCades',
  ],
} as const

export type InspectRequest = Static<typeof inspectSignature.body>
export type InspectAnswer = Static<typeof inspectSignature.answer>
