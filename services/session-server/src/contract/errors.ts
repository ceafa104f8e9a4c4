/** Every code of the contract (spec 1 A, Errors), and those of approvals. A code may stand for several statuses; this is its usual one. */
export const errors = {
  INVALID_REQUEST: { status: 400, message: 'The request is malformed; details names the field.' },
  INVALID_DOCUMENT: { status: 400, message: 'No document arrived, or it was empty.' },
  UNAUTHORIZED: { status: 401, message: 'The API key is not accepted.' },
  SESSION_EXPIRED: { status: 401, message: 'No active session has this id.' },
  INVALID_PIN: { status: 401, message: 'The PIN is not that of any certificate of the CPF.' },
  CERT_NOT_FOUND: { status: 404, message: 'No certificate is held.' },
  DOCUMENT_NOT_FOUND: { status: 404, message: 'No document has this signature id.' },
  APPROVAL_NOT_FOUND: { status: 404, message: 'No approval of this application has this id.' },
  ENDPOINT_NOT_FOUND: { status: 404, message: 'No operation answers this method and path.' },
  DOCUMENT_NOT_READY: { status: 409, message: 'The document is still being signed.' },
  APPROVAL_NOT_READY: { status: 409, message: 'The holder has not approved yet.' },
  APPROVAL_OVER: { status: 409, message: 'The approval has ended; details say how.' },
  DOCUMENT_TOO_LARGE: { status: 413, message: 'The document or the request is larger than allowed.' },
  CERT_NOT_ACTIVE: { status: 422, message: 'No certificate is in a state in which it may sign.' },
  DOCUMENT_UNAVAILABLE: { status: 422, message: 'The document ended without a signed version.' },
  PIN_NOT_AVAILABLE: { status: 422, message: 'The PIN could not be compared with anything.' },
  WORKSTATION_OFFLINE: { status: 422, message: 'Every workstation with an active certificate is offline.' },
  CERT_DATA_UNAVAILABLE: { status: 422, message: 'The data of the certificate is not held.' },
  CERT_INCOMPLETE_IDENTITY: {
    status: 422,
    message: 'The certificate does not name its holder well enough; details names the field.',
  },
  UNSUPPORTED_DOCUMENT: { status: 422, message: 'The document is not a PDF.' },
  SIGNER_REJECTED: { status: 422, message: 'The signature service refused the document.' },
  SIGN_TIMEOUT: { status: 422, message: 'The signature did not finish in time; nothing was signed.' },
  SERVER_BUSY: { status: 429, message: 'The server is working on as many calls as it accepts. Try again later.' },
  TOO_MANY_PIN_ATTEMPTS: { status: 429, message: 'Too many wrong PINs for this CPF. Retrying makes it worse.' },
  INTERNAL_ERROR: { status: 500, message: 'The request could not be completed. It is safe to try again.' },
  SIGNER_ERROR: { status: 502, message: 'The signature service could not be asked.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ErrorCode = keyof typeof errors
