import type { LiveSession } from '@chancela/service-kernel/http'
import type { ConsoleRole } from './contract/index.ts'

/** A caller who is signed in at a console. */
export interface ConsoleCaller {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly way: 'password' | 'oidc'
  readonly role: ConsoleRole
  /** `to-enrol`: only setting up an authenticator app or a passkey is allowed. */
  readonly secondFactor: 'on' | 'off' | 'to-enrol'
  readonly factors: ('app' | 'passkey')[]
  /** Of the client. */
  readonly address: string
}

/** The same as they see themselves. */
export type SignedIn = Omit<ConsoleCaller, 'address'>

/** The same with the session of the call. */
export interface SessionCaller extends ConsoleCaller {
  readonly session: LiveSession
}
