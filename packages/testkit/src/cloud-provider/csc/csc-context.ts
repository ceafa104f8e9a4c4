import type { Account, Credential } from '../accounts.ts'
import type { Question } from '../http.ts'
import type { Context } from '../provider-context.ts'
import type { Codes } from './codes.ts'
import type { CscQuirks } from './quirks.ts'
import { CscRefusal } from './refusals.ts'
import type { Tokens } from './tokens.ts'
import type { CscVersion, CscVersionName } from './versions.ts'

/** Dependencies of the operations of one version. Codes and tokens are shared by all versions; each records its own. */
export interface CscContext {
  readonly provider: Context
  readonly versionName: CscVersionName
  readonly version: CscVersion
  /** The address of this version, without a slash at the end. */
  readonly base: string
  readonly quirks: CscQuirks
  readonly codes: Codes
  readonly tokens: Tokens
}

/** An operation: a request to one version, answered with JSON or nothing. */
export type CscOperation = (context: CscContext, question: Question) => unknown

/** The holder's credential of this name. */
export function credentialOf({ credentials }: Account, credentialID: string): Credential {
  const credential = credentials.find(({ alias }) => alias === credentialID)
  if (!credential) throw new CscRefusal('Invalid parameter credentialID')
  return credential
}

/** The lifetime of a token, and what the response says of it. */
export function lifetimeOf({ provider, quirks }: CscContext, name: 'expires_in' | 'expiresIn') {
  const seconds = quirks.omitLifetimes
    ? HOUR_SECONDS
    : Math.min(HOUR_SECONDS, provider.quirks.shortenLifetime ?? HOUR_SECONDS)
  return { seconds, told: quirks.omitLifetimes ? {} : { [name]: seconds } }
}

/** The default where the response says nothing. */
const HOUR_SECONDS = 3600
