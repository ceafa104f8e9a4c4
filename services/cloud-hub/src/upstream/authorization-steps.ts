// The sealed state of an authorization while the user is at a provider.
import type { Secrets } from '@chancela/service-kernel/secrets'
import { stepContext } from '../store/sealed-columns.ts'
import type { SessionRow } from '../store/tables.ts'
import type { AuthorizationStep } from './provider.ts'

/** Progress of a push confirmation; empty before the user opens the page. */
export interface KeptPush {
  /** When the push was triggered. */
  readonly since?: string
  /** The code to poll with; undefined until the provider has answered the push. */
  readonly code?: string
  /** Time of the last poll. */
  readonly asked?: string
}

export interface KeptStep {
  /** Origin of the authorization server the user was sent to. */
  readonly server: string
  /** The adapter's own. */
  readonly secret: AuthorizationStep['secret']
  /** Only where the holder confirms on a phone. */
  readonly push?: KeptPush
  /** Where the hub's page with the list of documents leads; absent where there is no such page. */
  readonly url?: string
}

export const sealStep = (
  secrets: Secrets,
  sessionId: string,
  { url, secret, push }: AuthorizationStep,
  isBehindList = false,
): string =>
  sealKeptStep(secrets, sessionId, {
    server: new URL(url).origin,
    secret,
    ...(push && { push: {} }),
    ...(isBehindList && { url }),
  })

export const sealKeptStep = (secrets: Secrets, sessionId: string, kept: KeptStep): string =>
  secrets.seal(JSON.stringify(kept), stepContext(sessionId))

export const openStep = (secrets: Secrets, { id, sealed_step }: SessionRow): KeptStep =>
  JSON.parse(secrets.openText(sealed_step!, stepContext(id))) as KeptStep
