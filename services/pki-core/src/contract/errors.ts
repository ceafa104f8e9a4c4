/** Every code of the contract (spec 1 C, Errors; pki-core facts 1.2). The list is open: new codes may be added. */
export const errors = {
  DocumentNotFound: { status: 422, message: 'Document not found.' },
  SecurityContextNotFound: { status: 422, message: 'Security context not found.' },
  SignatureSessionNotFound: { status: 422, message: 'Signature session not found.' },
  BadSignatureSessionOperation: { status: 422, message: 'The session or document is in no state for this operation.' },
  BackgroundProcessing: { status: 422, message: 'The resource is being processed in the background.' },
  SignatureSessionTokenRequired: { status: 422, message: 'X-Signature-Session-Token is required.' },
  BadSignatureSessionToken: { status: 422, message: 'The signature session token is not one of this service.' },
  ExpiredSignatureSessionToken: { status: 422, message: 'The signature session token has expired.' },

  // Codes of the earlier generation (pki-core facts 1.2).
  SecurityContextRequired: { status: 422, message: 'The security context is required.' },
  EntityAlreadyExists: { status: 422, message: 'Another entity has this name.' },
  EntityIsReadOnly: { status: 422, message: 'The entity belongs to the instance and cannot be changed.' },
  EntityNotFound: { status: 422, message: 'The requested entity was not found.' },
  InvalidToken: { status: 422, message: 'The token is unknown, has expired, or was used already.' },
  ClientSignatureNotSet: { status: 422, message: 'Certificate and signature have not arrived yet.' },
  ClientSignatureAlreadySet: { status: 422, message: 'The signature has arrived already.' },
  EndUserCertificate: { status: 422, message: 'The certificate is not one of an authority.' },
  PKCertificateMalformed: { status: 422, message: 'The certificate cannot be read.' },
  ValidationError: { status: 422, message: 'The certificate failed validation.' },

  SignaturePolicyRequired: { status: 422, message: 'The signature policy is required.' },
  EntityUnusable: { status: 422, message: 'The entity cannot be used for this, or is in use.' },
  CertificateMismatch: { status: 422, message: 'Another certificate was chosen when the signature was begun.' },
  ToSignHashNotAvailable: { status: 422, message: 'There is nothing to sign until the certificate is chosen.' },
  UnsupportedDigestAlgorithm: { status: 422, message: 'Nothing is signed with this digest algorithm.' },

  InvalidElementType: { status: 422, message: 'An element of a mark is neither Text, Image nor QRCode.' },
  CannotApplyPdfMarks: { status: 422, message: 'The marks cannot be put onto the PDF.' },

  PdfAConversionNotAvailable: { status: 422, message: 'This service does not convert documents to PDF/A.' },
  InvalidVisualRepresentation: { status: 422, message: 'The visual representation cannot be drawn.' },
  PadesPositionNotFilled: { status: 422, message: 'The position needs one of auto and manual.' },
  FontSizeZero: { status: 422, message: 'The size of the font must be more than 0.' },
  InvalidPage: { status: 422, message: 'The document has no such page.' },
  InvalidPdf: { status: 422, message: 'The PDF cannot be signed.' },
  ProtectedPdfError: {
    status: 422,
    message: 'The PDF is protected: it cannot be read, or not be signed, without a password.',
  },
  InvalidXml: { status: 422, message: 'The XML cannot be signed as asked.' },
  InvalidCades: { status: 422, message: 'The CMS cannot be signed as asked.' },
  TimestampingUnavailable: { status: 422, message: 'There is no timestamp to be had.' },
  MissingDataHash: { status: 422, message: 'The SHA-256 of the data is needed.' },
  UnsupportedSignatureAlgorithm: { status: 422, message: 'Keys of this kind do not sign hashes.' },
  FileDownloadFailed: { status: 422, message: 'The file could not be downloaded from its address.' },
  BadDigest: { status: 422, message: 'The bytes do not have the digest that was announced for them.' },

  // Keys of documents; the original service names no codes for them.
  DocumentKeyNotFound: { status: 422, message: 'Document key not found.' },
  DocumentKeyAlreadyUsed: { status: 422, message: 'The document key belongs to another document already.' },

  // Ways to sign that an instance may lack; the original service names no codes for them.
  TokensNotAvailable: { status: 422, message: 'Signing with a token is not available here.' },
  TokenSigningNotFound: { status: 422, message: 'No such signature with a token.' },
  CloudCertificatesNotAvailable: { status: 422, message: 'Signing with a cloud certificate is not available here.' },

  // Webhooks; the original service sets them up in its console only.
  WebhookDisabled: { status: 422, message: 'The webhook is disabled; enable it first.' },
  WebhookUrlNotAllowed: { status: 422, message: 'Nothing is sent to this address.' },

  // Files that people bring; the original service names no codes for them.
  FileRejected: { status: 422, message: 'The subscription does not accept this file.' },
  FileValidationUnavailable: { status: 422, message: 'Nobody could be asked whether the file is accepted.' },

  // Uploads; the original service names no codes for them.
  UploadEmpty: { status: 422, message: 'The upload has no bytes.' },
  UploadPartsMismatch: { status: 422, message: 'The parts that were named are not those that arrived.' },
  FileTooLarge: { status: 422, message: 'The file is larger than this service accepts.' },

  // Named by nobody in public: suggested by pki-core facts 1.2.
  NonceAlreadyUsed: { status: 422, message: 'The nonce was used already.' },

  // Biometric sessions: no public source names their codes (pki-core facts 2.10).
  BioSessionNotFound: { status: 422, message: 'Biometric session not found.' },
  BioSubjectNotFound: { status: 422, message: 'Biometric subject not found.' },
  SubjectAlreadyEnrolled: { status: 422, message: 'The subject is enrolled already.' },
  BioOptionNotAvailable: { status: 422, message: 'The option is not available at this instance.' },
  BioReturnUrlNotAccepted: { status: 422, message: 'The address to return to is not among those accepted here.' },
  BadBioTicket: { status: 422, message: 'The ticket is unknown, or was used already.' },
  BadBioSessionOperation: { status: 422, message: 'The state of the biometric session does not allow this.' },
  BioResultDataNotAvailable: { status: 422, message: 'The session has no result data, or no longer.' },
  BioFrameOutOfTurn: { status: 422, message: 'Another frame is expected.' },
  BioSessionTokenRequired: { status: 422, message: 'X-Bio-Session-Token is required.' },
  BadBioSessionToken: { status: 422, message: 'No biometric session has this token.' },
  ExpiredBioSessionToken: { status: 422, message: 'The time of the biometric session is over.' },

  InvalidRequest: { status: 400, message: 'One or more fields are missing or malformed.' },
  Unauthorized: { status: 401, message: 'The API key is missing or invalid.' },
  Forbidden: { status: 403, message: 'The application lacks the permission for this operation.' },
  NotFound: { status: 404, message: 'No operation answers this method and path.' },
  UnsupportedMediaType: { status: 415, message: 'The body is not JSON.' },
  TooManyRequests: { status: 429, message: 'Too many requests. Try again later.' },
  ServerBusy: { status: 503, message: 'The service is working on as many calls as it accepts. Try again later.' },
  UnexpectedError: { status: 500, message: 'The request could not be completed.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ErrorCode = keyof typeof errors
