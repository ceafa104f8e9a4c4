/** Every code of the contract (spec 1 C, Errors; pki-core facts 1.2). The list is open: new codes may be added. */
export const errors = {
  SecurityContextNotFound: { status: 422, message: 'Security context not found.' },

  // Codes of the earlier generation (pki-core facts 1.2).
  SecurityContextRequired: { status: 422, message: 'The security context is required.' },
  EntityNotFound: { status: 422, message: 'The requested entity was not found.' },
  InvalidToken: { status: 422, message: 'The token is unknown, has expired, or was used already.' },
  ClientSignatureNotSet: { status: 422, message: 'Certificate and signature have not arrived yet.' },
  ClientSignatureAlreadySet: { status: 422, message: 'The signature has arrived already.' },
  PKCertificateMalformed: { status: 422, message: 'The certificate cannot be read.' },
  ValidationError: { status: 422, message: 'The certificate failed validation.' },

  FileDownloadFailed: { status: 422, message: 'The file could not be downloaded from its address.' },
  BadDigest: { status: 422, message: 'The bytes do not have the digest that was announced for them.' },

  // Uploads; the original service names no codes for them.
  UploadEmpty: { status: 422, message: 'The upload has no bytes.' },
  UploadPartsMismatch: { status: 422, message: 'The parts that were named are not those that arrived.' },
  FileTooLarge: { status: 422, message: 'The file is larger than this service accepts.' },

  // Named by nobody in public: suggested by pki-core facts 1.2.
  NonceAlreadyUsed: { status: 422, message: 'The nonce was used already.' },

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
