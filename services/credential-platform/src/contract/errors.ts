/** One entry of the vocabulary: the status it answers with, and the title clients show. */
interface ErrorEntry {
  readonly status: number
  readonly message: string
}

const absent = (what: string): { readonly status: 404; readonly message: string } => ({
  status: 404,
  message: `No ${what} has this id.`,
})

/** Every code of the service, as RFC 9457 problems name it. Clients dispatch on the code, which is never renamed. */
export const errors = {
  'subscription-not-found': absent('subscription'),
  'user-not-found': absent('user'),
  'application-not-found': absent('application'),
  'application-key-not-found': absent('key'),
  'institute-not-found': absent('institute'),
  'partnership-not-found': absent('partnership'),
  'course-not-found': absent('course'),
  'flow-not-found': absent('flow'),
  'template-not-found': absent('template'),
  'batch-not-found': absent('batch'),
  'degree-not-found': absent('degree'),
  'emission-not-found': absent('emission'),
  'registration-not-found': absent('registration request'),
  'academic-transcript-not-found': absent('academic transcript'),
  'curriculum-not-found': absent('curriculum'),
  'cancellation-list-not-found': absent('list of annulled degrees'),
  'inspection-file-not-found': absent('inspection file'),
  'restamp-not-found': absent('restamp'),
  'document-not-found': absent('document'),
  'signing-not-found': absent('request to sign'),
  'wallet-key-not-found': { status: 404, message: 'The institution has no such key.' },
  'status-list-not-found': { status: 404, message: 'There is no such status list.' },
  'offer-not-found': { status: 404, message: 'The link was used, is over, or never was.' },
  'document-platform-not-found': { status: 404, message: 'The organization has connected no document platform.' },
  'certificate-not-found': { status: 404, message: 'The institution has no stored certificate.' },
  'code-not-found': { status: 404, message: 'No document has this verification code.' },
  'file-not-found': { status: 404, message: 'The item has no such file, or not yet.' },

  'already-exists': { status: 409, message: 'There is one already; errors names the field.' },
  'in-use': { status: 409, message: 'It is in use, and stays.' },
  'invalid-transition': { status: 409, message: 'The item is not in a state that allows this.' },
  'changed-meanwhile': { status: 409, message: 'Somebody else changed it meanwhile. Read it again.' },
  'second-person-required': { status: 409, message: 'Somebody else has to do this: two people are asked for.' },
  'last-administrador': { status: 409, message: 'One Administrador always stays.' },
  'idempotency-key-reused': { status: 422, message: 'The same Idempotency-Key came with another request before.' },
  'invalid-data': { status: 422, message: 'The data are not acceptable; errors names the fields.' },
  'certificate-refused': { status: 422, message: 'The certificate cannot sign; reasons say why.' },
  'signing-refused': { status: 409, message: 'This cannot be signed so, or not now; reason says why.' },
  'signing-unavailable': { status: 503, message: 'Timestamps or revocation data cannot be had. Try again later.' },
  'signer-required': { status: 409, message: 'Say first with which CPF you sign.' },
  'cloud-certificates-unavailable': { status: 503, message: 'Nobody can sign with a cloud certificate here, or now.' },
  'tokens-unavailable': { status: 503, message: 'Nobody can sign with a token here, or now.' },
  'signature-token-invalid': {
    status: 422,
    message: 'The signature was not begun here, or too long ago. Begin again.',
  },
  'signature-wrong': {
    status: 422,
    message: 'The signature is not one of this certificate over what was to be signed.',
  },
  'document-refused': {
    status: 422,
    message: 'The document is not acceptable; errors has the reasons under their codes.',
  },
  'partnership-required': { status: 422, message: 'There is no active partnership of these institutions.' },
  'representation-failed': { status: 422, message: 'The document cannot be drawn by its template; reason says why.' },
  'credential-failed': { status: 422, message: 'No credential can be made of the document; reason says why.' },
  'webhook-url-refused': { status: 422, message: 'Webhooks are not sent to this address.' },
  'address-refused': { status: 422, message: 'This address is not called.' },
  'webhook-disabled': { status: 422, message: 'No webhook is enabled here.' },

  'sign-in-refused': { status: 401, message: 'Address, password and code do not belong together.' },
  'code-required': { status: 401, message: 'The code of the authenticator app is missing.' },
  'second-factor-required': {
    status: 403,
    message: 'Set an authenticator app up first; nothing else is allowed before.',
  },
  'reauthentication-required': {
    status: 403,
    message: 'Prove again who you are: POST /api/session/proof.',
  },
  'proof-refused': { status: 422, message: 'Password and code do not belong to whoever is signed in.' },
  'browser-session-not-found': { status: 404, message: 'You have no session with this id, or no more.' },
  'second-factor-wrong': { status: 422, message: 'This is not the code the authenticator app shows.' },
  'present-code-wrong': {
    status: 422,
    message: 'Another authenticator app needs a code of the present one, which was not used before.',
  },
  'password-wrong': { status: 422, message: 'This is not the present password.' },
  'password-too-common': { status: 422, message: 'The password is one that guessers try first.' },
  'invitation-invalid': { status: 422, message: 'The invitation is over, was accepted, or never was.' },

  'invalid-request': { status: 400, message: 'One or more fields are missing or malformed.' },
  'request-too-large': { status: 413, message: 'The request is larger than accepted.' },
  unauthorized: { status: 401, message: 'The key or the session is missing or not accepted.' },
  forbidden: { status: 403, message: 'The caller may not do this.' },
  'unknown-route': { status: 404, message: 'No operation answers this method and path.' },
  'unsupported-media-type': { status: 415, message: 'The body is of a type that is not accepted here.' },
  'too-many-requests': { status: 429, message: 'Too many requests. Try again later.' },
  'disk-full': { status: 503, message: 'The disk is full: nothing was changed. The operator has to make room.' },
  'service-busy': { status: 503, message: 'The service is working on as many calls as it accepts. Try again later.' },
  'unexpected-error': { status: 500, message: 'The request could not be completed.' },
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type ErrorCode = keyof typeof errors
