// Codes of authenticator apps (TOTP, RFC 6238): of administrators, and of the accounts of a service that has its own.

import { type Secrets, sealedTable } from '@chancela/service-kernel/secrets'
import { Secret, TOTP } from 'otpauth'
import type { AdministratorRow } from './administrator-table.ts'

/** The label the app shows above the code. */
const ISSUER = 'Chancela'

/** Adjacent time steps whose codes are accepted: clocks differ, and people type slowly. */
const WINDOW = 1

// One context for both columns: a confirmed secret moves from one to the other without being resealed.
export const administratorContext = (id: string): string => `administrator/${id}`

/** The sealed columns, so that a rotation of the master key reaches them. */
export const sealedAdministrators = sealedTable<AdministratorRow>({
  table: 'administrator',
  idColumn: 'id',
  columns: ['sealed_totp', 'sealed_new_totp'],
  context: ({ id }) => administratorContext(id),
})

export interface NewSecondFactor {
  /** Base32, to type into the app. */
  readonly secret: string
  /** The same as a URI, to scan. */
  readonly uri: string
  /** The form that is stored. */
  readonly sealed: string
}

/** A new secret for an app, which shows it under the issuer and the address; sealed for the context. */
export function newSecondFactor(secrets: Secrets, context: string, email: string, issuer = ISSUER): NewSecondFactor {
  const secret = new Secret()
  const uri = new TOTP({ issuer, label: email, secret }).toString()
  return { secret: secret.base32, uri, sealed: secrets.seal(secret.base32, context) }
}

/** The time step a code belongs to; undefined for a code of no step around now. */
export function stepOf(
  secrets: Secrets,
  { context, sealed }: { readonly context: string; readonly sealed: string },
  code: string,
  now: Date,
): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secrets.openText(sealed, context)) })
  const timestamp = now.getTime()
  const away = totp.validate({ token: code, timestamp, window: WINDOW })
  return away === null ? undefined : totp.counter({ timestamp }) + away
}
