// The plan of one run of the service, sent by the prover to the process.

/**
 * Steps before and after which a process can be made to crash: file operations, transactions, and of these the ones that
 * write an entry of the audit or a row of a generation; those are crashed when all is written and nothing committed.
 */
export const steps = ['blob arrives', 'blob is placed', 'transaction', 'audit entry', 'generated row'] as const

/** A crash before or after the `nth` time a step is reached, or when a receiver or the mail server got the `nth` message. */
export type Crash =
  | { readonly point: (typeof steps)[number]; readonly side: 'before' | 'after'; readonly nth: number }
  | { readonly point: 'delivery' | 'mail'; readonly nth: number }

export interface LifePlan {
  readonly crash?: Crash
}

/** Location of one test world, and the setup of its process. */
export interface LifeSetup {
  /** Name of the service, and on PostgreSQL of its schema. */
  readonly name: string
  readonly dataFolder: string
  readonly databaseUrl: string
  /** PEM file of the roots of the signers' certificates. */
  readonly roots: string
  /** Port of the mail server on this machine. */
  readonly mailPort: number
  /** Settings of the section `Documents` that differ from their defaults. */
  readonly documents?: object
  /** Milliseconds the clock is ahead: pending retries are due in the next run. */
  readonly ahead: number
  /** Whether to create the organization: the first run of a world does. */
  readonly isFirst: boolean
}

/** From the prover to the process. */
export interface Order {
  readonly setup: LifeSetup
  readonly plan: LifePlan
}

/** From the process to the prover. */
export type Word =
  | { readonly word: 'loaded' }
  | { readonly word: 'listening'; readonly baseUrl: string; readonly organization?: Organization }

/** The organization of the documents, and its key. */
export interface Organization {
  readonly id: string
  readonly apiKey: string
}
