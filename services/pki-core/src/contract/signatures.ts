// Signatures in two steps, with the key elsewhere (pki-core facts 4.3).
import Type, { type Static } from 'typebox'
import { always, bytesOf, Flag, maybe, orNull, subscriptionHeader } from './common.ts'
import { DocumentModel, signatureTypes } from './documents.ts'
import { FileReference, INLINE_BODY_BYTES } from './files.ts'
import {
  CertificateModel,
  DigestAlgorithmAndValueModel,
  SignatureParametersModel,
  type ValidationResults,
  ValidationResultsModel,
} from './models.ts'
import { measurementUnits, pageOptimization, VisualRepresentation } from './visual-representation.ts'

const tags = ['Signatures']

export const digestNames = ['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256'] as const
export type DigestNameView = (typeof digestNames)[number]

/** A digest of a request: its value in one of two forms. */
export const DigestOfRequest = Type.Object(
  {
    algorithm: Type.Enum([...digestNames]),
    value: maybe(bytesOf(64, 'The digest.')),
    hexValue: maybe(Type.String({ maxLength: 128, pattern: '^(?:[0-9A-Fa-f]{2})*$' })),
  },
  { $id: 'DigestOfRequest' },
)

export const cmsSignatureOptions = maybe(
  Type.Object(
    {
      detached: maybe(Type.Boolean({ description: 'Whether the data stay outside the signature. Default false.' })),
      dataFile: maybe(FileReference),
      dataHashes: maybe(Type.Array(DigestOfRequest, { maxItems: 20 })),
    },
    { $id: 'CmsSignatureOptions' },
  ),
)

export const pdfSignatureOptions = maybe(
  Type.Object(
    {
      visualRepresentation: maybe(VisualRepresentation),
      measurementUnits,
      pageOptimization,
      convertToPdfA: maybe(Type.Boolean()),
    },
    { $id: 'PdfSignatureOptions' },
  ),
)

export const ElementLocation = Type.Object(
  {
    xPath: maybe(Type.String({ maxLength: 2000 })),
    namespaces: maybe(
      Type.Array(
        Type.Object(
          { prefix: Type.String({ maxLength: 100 }), uri: Type.String({ maxLength: 2000 }) },
          { $id: 'NamespaceModel' },
        ),
        { maxItems: 100 },
      ),
    ),
    insertionOption: maybe(Type.Enum(['AppendChild', 'PrependChild', 'AppendSibling', 'PrependSibling'])),
  },
  { $id: 'XmlElementLocationModel' },
)

const xmlSignatureOptions = maybe(
  Type.Object(
    {
      type: maybe(Type.Enum(['XmlElement', 'FullXml', 'OnlineResource', 'DetachedResource'])),
      elementToSignId: maybe(Type.String({ maxLength: 1000 })),
      signatureElementLocation: maybe(ElementLocation),
    },
    { $id: 'XmlSignatureOptions' },
  ),
)

export const prepareSignature = {
  method: 'POST',
  path: '/api/signature',
  operationId: 'prepareSignature',
  summary: 'Prepares a signature: a certificate or a PDF that fails is an answer, not an error.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      file: FileReference,
      certificate: Type.Object(
        { id: maybe(Type.String({ maxLength: 64 })), content: maybe(bytesOf(64 * 1024, 'DER.')) },
        { $id: 'CertificateReferenceModel' },
      ),
      documentKey: maybe(Type.String({ maxLength: 64 })),
      securityContextId: maybe(
        Type.String({ maxLength: 64, description: 'Default: the security context of the subscription.' }),
      ),
      signatureType: maybe(Type.Enum([...signatureTypes], { description: 'Default: by the type of the file.' })),
      ignoreRevocationStatusUnknown: maybe(
        Type.Boolean({ description: 'Whether an unknown revocation status is a warning instead of an error.' }),
      ),
      cmsSignatureOptions,
      pdfSignatureOptions,
      xmlSignatureOptions,
    },
    { $id: 'PrepareSignatureRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object(
    {
      success: Flag,
      failure: orNull(Type.Enum(['PdfAlreadySigned', 'CorruptedPdf', 'CertificateValidationFailed'])),
      state: orNull(Type.String({ description: 'Goes to the completion, and is good for one document.' })),
      toSign: orNull(SignatureParametersModel),
      toSignHash: orNull(DigestAlgorithmAndValueModel),
      validationResults: orNull(ValidationResultsModel),
      certificate: orNull(CertificateModel),
    },
    { $id: 'PrepareSignatureResponse' },
  ),
  access: 'signatures.run',
  refusals: [
    ...always,
    'SecurityContextNotFound',
    'InvalidToken',
    'FileDownloadFailed',
    'FileTooLarge',
    'DocumentKeyNotFound',
    'DocumentKeyAlreadyUsed',
    'PKCertificateMalformed',
    'UnsupportedSignatureAlgorithm',
    'PdfAConversionNotAvailable',
    'InvalidVisualRepresentation',
    'PadesPositionNotFilled',
    'FontSizeZero',
    'InvalidPage',
    'InvalidPdf',
    'ProtectedPdfError',
    'InvalidXml',
    'InvalidCades',
    'MissingDataHash',
  ],
} as const

export type PrepareRequest = Static<typeof prepareSignature.body>
export type PrepareAnswer = Omit<Static<typeof prepareSignature.answer>, 'validationResults'> & {
  readonly validationResults: ValidationResults | null
}

export const completeSignature = {
  method: 'POST',
  path: '/api/signature/completion',
  operationId: 'completeSignature',
  summary: 'Completes a signature; the answer is the document.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      state: Type.String({ minLength: 1, maxLength: 4096 }),
      signature: bytesOf(2048, 'Signature over what was to be signed.'),
    },
    { $id: 'CompleteSignatureRequestV2' },
  ),
  answer: DocumentModel,
  access: 'signatures.run',
  refusals: [...always, 'InvalidToken', 'SecurityContextNotFound', 'ValidationError', 'DocumentKeyAlreadyUsed'],
} as const
