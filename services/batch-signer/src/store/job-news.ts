import type { Transaction } from 'kysely'
import type { Decision } from '../rules/frozen-approval.ts'
import type { JobChange } from './job-ledger.ts'
import type { Tables } from './tables.ts'

/** What one approver decided. */
export interface DecisionNews {
  readonly jobId: string
  readonly at: string
  readonly decision: Decision
  /** As `approverKey`. */
  readonly approverKey: string
  readonly approverName: string
}

/** What happened to jobs in one transaction; what was decided comes before what it moved. */
export interface JobNews {
  readonly decisions: readonly DecisionNews[]
  readonly changes: readonly JobChange[]
}

/**
 * Writes what others are to be told of the news, in the transaction of the news: both are durable or neither is. A
 * ledger without one has no statement more.
 */
export type JobTeller = (tx: Transaction<Tables>, news: JobNews) => Promise<void>

/** One teller of all that are there; undefined without any. */
export function tellerOf(tellers: readonly (JobTeller | undefined)[]): JobTeller | undefined {
  const all = tellers.filter((tell) => tell !== undefined)
  if (all.length === 0) return undefined
  return async (tx, news) => {
    for (const tell of all) await tell(tx, news)
  }
}
