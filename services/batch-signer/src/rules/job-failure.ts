import { type RecordedCode, recordedCodes } from '../contract/errors.ts'

/** Why a job ends Failed: a code recorded on it and a sentence for its history. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly code: RecordedCode
  /** Further lines for the history, such as the violations of a remittance. */
  readonly lines: readonly string[]

  constructor(code: RecordedCode, detail?: string, more: { lines?: readonly string[]; cause?: unknown } = {}) {
    super(detail === undefined ? recordedCodes[code] : `${recordedCodes[code]} ${detail}`, { cause: more.cause })
    this.code = code
    this.lines = more.lines ?? []
  }
}
