import { type RecordedCode, recordedCodes } from '../contract/errors.ts'
import { causeOf, type JobReason, type ToldReason } from './job-reason.ts'
import { type Said, saidFailure } from './sentences.ts'

interface More {
  readonly lines?: readonly Said[]
  readonly cause?: unknown
}

/** Why a job ends Failed: a code recorded on it, a sentence for its history, and the reason behind both. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly code: RecordedCode
  /** Further lines for the history, such as the violations of a remittance. */
  readonly lines: readonly Said[]
  readonly reason: JobReason | undefined

  constructor(code: RecordedCode, detail?: string | ToldReason, { lines = [], cause }: More = {}) {
    super(messageOf(code, detail), { cause })
    this.code = code
    this.lines = lines
    this.reason = typeof detail === 'object' ? detail.reason : undefined
  }

  /** Why, inside another sentence. */
  get said(): Said {
    const { code, message: error, reason } = this
    return saidFailure({ code, error, reason })
  }

  /** What is stored with the job. */
  get recorded() {
    const { code, message: error, reason } = this
    return { code, error, errorCause: causeOf(code, reason), ...(reason && { reason: JSON.stringify(reason) }) }
  }
}

function messageOf(code: RecordedCode, detail: string | ToldReason | undefined): string {
  if (detail === undefined) return recordedCodes[code]
  if (typeof detail === 'string') return `${recordedCodes[code]} ${detail}`
  return detail.alone ? detail.sentence : `${recordedCodes[code]} ${detail.sentence}`
}
