import type { Clock } from '@chancela/service-kernel/clock'
import type { IssuedCertificate } from '../demo-pki/index.ts'
import type { Accounts, Credential } from './accounts.ts'
import type { Clients } from './clients.ts'
import type { Faults } from './faults.ts'
import type { Operation } from './operations.ts'
import type { Interactions } from './pages/interactions.ts'
import type { Pushes } from './pages/pushes.ts'
import type { Quirks } from './quirks.ts'

/** A call that arrived, as far as it could be parsed. */
export interface Call {
  readonly operation: Operation
  readonly at: Date
  /** JSON, or the fields of a form; for a GET the query. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Dependencies of every protocol of the provider. */
export interface Context {
  readonly clock: Clock
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** The provider's name on its pages. */
  readonly name: string
  readonly accounts: Accounts
  /** The certificate, its issuer, and so on up to the root. */
  readonly chainOf: (credential: Credential) => readonly IssuedCertificate[]
  readonly clients: Clients
  readonly quirks: Quirks
  readonly faults: Faults
  /** Logins and consents in progress in browsers. */
  readonly interactions: Interactions
  /** Requests on holders' phones. */
  readonly pushes: Pushes
  readonly calls: Call[]
}
