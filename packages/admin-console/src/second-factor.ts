// Codes of authenticator apps (TOTP, RFC 6238).

import { type Secrets, sealedTable } from '@chancela/service-kernel/secrets'
import { Secret, TOTP } from 'otpauth'
import type { AdministratorRow } from './administrator-table.ts'

/** What the app shows above the code. */
const ISSUER = 'Chancela'

/** Steps before and after the present one whose codes are taken: clocks differ, and people type slowly. */
const WINDOW = 1

// One place for both columns: a secret that is confirmed moves from one to the other as it is.
const sealContext = (id: string): string => `administrator/${id}`

/** The sealed columns, so that a rotation of the master key reaches them. */
export const sealedAdministrators = sealedTable<AdministratorRow>({
  table: 'administrator',
  idColumn: 'id',
  columns: ['sealed_totp', 'sealed_new_totp'],
  context: ({ id }) => sealContext(id),
})

export interface NewSecondFactor {
  /** Base32, for whoever types it into the app. */
  readonly secret: string
  /** The same for whoever scans it. */
  readonly uri: string
  /** What is kept of it. */
  readonly sealed: string
}

export function newSecondFactor(
  secrets: Secrets,
  { id, email }: Pick<AdministratorRow, 'id' | 'email'>,
): NewSecondFactor {
  const secret = new Secret()
  const uri = new TOTP({ issuer: ISSUER, label: email, secret }).toString()
  return { secret: secret.base32, uri, sealed: secrets.seal(secret.base32, sealContext(id)) }
}

/** The time step a code belongs to; nothing for a code of no step around now. */
export function stepOf(
  secrets: Secrets,
  { id, sealed }: { readonly id: string; readonly sealed: string },
  code: string,
  now: Date,
): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secrets.openText(sealed, sealContext(id))) })
  const timestamp = now.getTime()
  const away = totp.validate({ token: code, timestamp, window: WINDOW })
  return away === null ? undefined : totp.counter({ timestamp }) + away
}
