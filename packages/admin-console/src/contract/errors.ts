/** Codes every console has; a service adds its own. */
export const commonConsoleErrors = {
  INVALID_REQUEST: { status: 400, message: 'The request is malformed; details names the field.' },
  UNAUTHORIZED: { status: 401, message: 'Nobody is signed in.' },
  SIGN_IN_REFUSED: { status: 401, message: 'Address, password and code do not belong together.' },
  CODE_REQUIRED: {
    status: 401,
    message: 'The second factor is missing: a code or a passkey. details.factors says what is set up.',
  },
  PASSKEY_REFUSED: {
    status: 401,
    message: 'The passkey signs nobody in here, or answers a question that is over or was not asked in this browser.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Set an authenticator app or a passkey up first; nothing else is allowed before.',
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    message:
      'Prove again who you are: POST /api/session/proof, a passkey, or a fresh sign-in at the identity provider.',
  },
  PROOF_REFUSED: {
    status: 422,
    message: 'Password and code, or the passkey, do not belong to whoever is signed in.',
  },
  FORBIDDEN_FOR_ROLE: { status: 403, message: 'The role of whoever is signed in does not allow this.' },
  OIDC_REFUSED: { status: 403, message: 'The identity provider did not name an administrator.' },
  OIDC_UNAVAILABLE: { status: 502, message: 'The identity provider could not be asked.' },
  ENDPOINT_NOT_FOUND: { status: 404, message: 'No operation answers this method and path.' },
  APPLICATION_NOT_FOUND: { status: 404, message: 'No application has this id.' },
  APPLICATION_NAME_INVALID: { status: 422, message: 'The application cannot have this name.' },
  APPLICATION_NAME_TAKEN: { status: 409, message: 'Another application has this name.' },
  API_KEY_NOT_FOUND: { status: 404, message: 'No key has this id.' },
  ADMINISTRATOR_SESSION_NOT_FOUND: { status: 404, message: 'You have no session with this id, or no more.' },
  ADMINISTRATOR_NOT_FOUND: { status: 404, message: 'No administrator has this id.' },
  ADMINISTRATOR_EMAIL_TAKEN: { status: 409, message: 'Another administrator has this address.' },
  LAST_ADMINISTRATOR: { status: 422, message: 'One administrator always stays.' },
  PASSWORD_WRONG: { status: 422, message: 'This is not the present password.' },
  PASSWORD_TOO_COMMON: { status: 422, message: 'The password is one that guessers try first; details says why.' },
  AT_IDENTITY_PROVIDER: { status: 409, message: 'The identity provider looks after this account.' },
  NO_SECOND_FACTOR: {
    status: 409,
    message: 'Recovery codes stand for a second factor; set an authenticator app or a passkey up first.',
  },
  LAST_SECOND_FACTOR: {
    status: 422,
    message: 'A second factor always stays: set another passkey or an authenticator app up first.',
  },
  PASSKEY_NOT_FOUND: { status: 404, message: 'You have no passkey with this id.' },
  PASSKEY_INVALID: {
    status: 422,
    message:
      'The new passkey is not accepted: made elsewhere or too late, known already, or of a kind nobody asked for.',
  },
  PASSKEYS_UNAVAILABLE: {
    status: 409,
    message: 'Passkeys need TLS and a host name, no address; PublicUrl says how browsers reach the console.',
  },
  TOO_MANY_PASSKEYS: { status: 422, message: 'You have as many passkeys as one may have; remove one first.' },
  SECOND_FACTOR_WRONG: { status: 422, message: 'This is not the code the authenticator app shows.' },
  PRESENT_CODE_WRONG: {
    status: 422,
    message: 'Another authenticator app needs an unused code of the present one, or a recovery code.',
  },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again later.' },
  SERVER_BUSY: { status: 429, message: 'The server is working on as many calls as it accepts. Try again later.' },
  INTERNAL_ERROR: { status: 500, message: 'The request could not be completed. It is safe to try again.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type CommonConsoleErrorCode = keyof typeof commonConsoleErrors
