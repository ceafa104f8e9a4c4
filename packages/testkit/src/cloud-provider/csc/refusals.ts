import { type Answer, json } from '../http.ts'
import type { CscQuirks } from './quirks.ts'

/** Refusals that carry another code or status than `400 invalid_request` (CSC 1.0.4 §10.1 and the tables of §8.3, §11). */
const special = {
  'Authorization code is invalid or expired': { error: 'invalid_grant' },
  'redirect_uri parameter does not match redirect_uri parameter of authorization request': { error: 'invalid_grant' },
  'Client authorization required': { error: 'invalid_client', status: 401 },
  'Invalid parameter client_secret': { error: 'invalid_client', status: 401 },
  'The token provided is not a valid OAuth access or refresh token.': { error: 'invalid_token', status: 401 },
  'The access or refresh token is expired or has been revoked.': { error: 'expired_token', status: 401 },
  'The client is not authorized to use this method.': { error: 'unauthorized_client', status: 401 },
  'The PIN is invalid': { error: 'invalid_pin' },
  'The requested method is not implemented.': { error: 'unsupported_method', status: 501 },
} as const satisfies Readonly<Record<string, { readonly error: string; readonly status?: number }>>

/** A refusal of the server, in the words of the specification. */
export class CscRefusal extends Error {
  override readonly name = 'CscRefusal'
  readonly status: number
  readonly error: string

  constructor(description: keyof typeof special | (string & {})) {
    super(description)
    const { error, status = 400 }: { error: string; status?: number } =
      description in special ? special[description as keyof typeof special] : { error: 'invalid_request' }
    this.error = error
    this.status = status
  }

  answer({ messageErrors }: CscQuirks): Answer {
    return messageErrors
      ? json(400, { message: this.message })
      : json(this.status, { error: this.error, error_description: this.message })
  }
}
