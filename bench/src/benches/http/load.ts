/** A request that a load generator repeats. */
export interface LoadTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a load generator counted. */
export interface Load {
  readonly requests: number
  readonly wallMs: number
  /** Connections lost, and answers of 400 and above. */
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends a request repeatedly over keep-alive connections. */
export interface LoadGenerator {
  /** For the report. */
  readonly description: string
  run(target: LoadTarget, forMs: number): Promise<Load>
}

export const CONNECTIONS = 32

/** The load generator has this core to itself, the server the other one. */
export const LOADER_CORE = 1
export const SERVER_CORE = 0
