// What a client carries from the preparation to the completion: nothing is stored until it is used.
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'

/** An authentication that was prepared. */
export interface PreparedState {
  readonly nonce: string
  readonly subscriptionId: string
  readonly contextId: string
  readonly ignoresUnknown: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
}

const SEAL = 'pki-core/authentication-state'

/** Safe in an address and in a hidden field. */
export const sealState = (secrets: Secrets, state: PreparedState): string =>
  Buffer.from(secrets.seal(JSON.stringify(state), SEAL)).toString('base64url')

/** Undefined for what this instance did not make, or can no longer open. */
export function openState(secrets: Secrets, text: string): PreparedState | undefined {
  try {
    return JSON.parse(secrets.openText(Buffer.from(text, 'base64url').toString('latin1'), SEAL)) as PreparedState
  } catch (error) {
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}
