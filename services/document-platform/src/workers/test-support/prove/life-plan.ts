// What one life of the service is to go through, told by the prover to the process that lives it.

/** Steps before and after which a process can be told to die: what it keeps in files, and what it writes together. */
export const steps = ['blob arrives', 'blob is placed', 'transaction'] as const

/** Death at a step, before or after the `nth` time it is reached; or when a receiver has been sent the `nth` delivery. */
export type Crash =
  | { readonly point: (typeof steps)[number]; readonly side: 'before' | 'after'; readonly nth: number }
  | { readonly point: 'delivery'; readonly nth: number }

export interface LifePlan {
  readonly crash?: Crash
}

/** Where one world is, and how its process is set up. */
export interface LifeSetup {
  /** Name of the service, and on PostgreSQL of its schema. */
  readonly name: string
  readonly dataFolder: string
  readonly databaseUrl: string
  /** PEM file of the roots signers' certificates lead to. */
  readonly roots: string
  /** Milliseconds the clock is ahead: what waits for another attempt is due in the next life. */
  readonly ahead: number
  /** Whether an organization is to be made: the first life of a world does. */
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

/** Whose documents they are, and the key to them. */
export interface Organization {
  readonly id: string
  readonly apiKey: string
}
