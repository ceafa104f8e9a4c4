import { commonConsoleErrors } from '@chancela/admin-console/contract'

/** Codes of the console's own API; codes common to both surfaces have the same name. */
export const consoleErrors = {
  ...commonConsoleErrors,
  CERTIFICATE_NOT_FOUND: { status: 404, message: 'No certificate has this id.' },
  CERTIFICATE_FILE_INVALID: {
    status: 422,
    message: 'The file is not a PKCS#12 that holds a key with its certificate.',
  },
  CERTIFICATE_PIN_WRONG: { status: 422, message: 'The PIN does not open the file.' },
  CERTIFICATE_CPF_MISSING: { status: 422, message: 'The certificate names no CPF: say for which it is held.' },
  CERTIFICATE_ALREADY_HELD: { status: 409, message: 'The certificate is already held for this CPF.' },
  CERTIFICATE_AT_WORKSTATION: { status: 409, message: 'The certificate is at a workstation, not in the vault.' },
  CERTIFICATE_ON_TOKEN: { status: 409, message: 'The certificate is on a token of the server, not in the vault.' },
  CERTIFICATE_NOT_ON_TOKEN: { status: 409, message: 'The certificate is not on a token of the server.' },
  TOKEN_PIN_REFUSED: {
    status: 422,
    message: 'The token did not accept the PIN, or was not given it because one more wrong PIN would lock it.',
  },
  TOKEN_UNAVAILABLE: { status: 409, message: 'The token is not there, or does not answer.' },
  WORKSTATION_NOT_FOUND: { status: 404, message: 'No workstation has this id.' },
  ENROLMENT_REFUSED: { status: 401, message: 'The code is unknown, used or too old.' },
  SESSION_NOT_FOUND: { status: 404, message: 'No live session has this id.' },
  LOCKOUT_NOT_FOUND: { status: 404, message: 'Nothing is counted for this CPF.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ConsoleErrorCode = keyof typeof consoleErrors
