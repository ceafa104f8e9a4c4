import type { Offer } from '../../../shared/signing/offers.ts'
import type { Approver, PortalRow } from '../api/portal-types.ts'

/** What a person approves by signing it. */
export interface SigningTask {
  readonly approver: Approver
  /** The files that are signed, one or many. */
  readonly files: readonly PortalRow[]
  /** Files of the same batch that need no signature: the page approves them once the others are signed. */
  readonly others: readonly PortalRow[]
  /** What was typed until now; there is one for a single file only. */
  reason(): string | undefined
  /** While it reports some, the person cannot leave; undefined says that it stopped. */
  onProgress(progress: Progress | undefined): void
  /** Takes what became of each file, before the way says that it is done. */
  record(outcomes: readonly Outcome[]): void
  /** Calls `act` when the person leaves before that. */
  onLeave(act: () => void): void
}

export interface Progress {
  readonly done: number
  readonly all: number
}

/** What became of one file. */
export interface Outcome {
  readonly file: Pick<PortalRow, 'jobId' | 'fileName'>
  /** Whether this approval was the last one it waited for; absent where none was recorded. */
  readonly released?: boolean
  /** Why it was not recorded: a `NotTaken`, or the failure of a call. */
  readonly why?: unknown
}

/** A refusal that is the answer about one file, not of the whole call. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
  readonly code: string
  /** The sentence of the service, in the language of the visitor. */
  readonly said: string | undefined

  constructor(code: string, said?: string) {
    super(code)
    this.code = code
    this.said = said
  }
}

/** A way of signing: its offer for a task, or undefined where this service, or this task, does not have it. */
export type SigningWay = (task: SigningTask) => Offer | undefined
