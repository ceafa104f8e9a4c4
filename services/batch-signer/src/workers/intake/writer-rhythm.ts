/** However slowly writers write, a file is not kept waiting longer. */
const LONGEST_QUIET = 10 * 60_000
/** Where nobody can say whether a file is open, it must rest for this many stability windows at least. */
const WINDOWS = 5
/** A file must rest this many times as long as writers of its folder were seen to pause. */
const PAUSES = 3

/**
 * How the writers of one folder behave, for files of which the kernel cannot say whether somebody has them open: on a
 * share, or of another user. They must rest for five windows, and three times as long as the longest pause after which
 * a file of the folder was seen to go on; a file that changed after it was taken shows that this was too short.
 */
export class WriterRhythm {
  readonly #windowMs: number
  #longestPauseMs = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Milliseconds that a file must have rested. */
  get quietMs(): number {
    return Math.min(LONGEST_QUIET, Math.max(WINDOWS * this.#windowMs, PAUSES * this.#longestPauseMs))
  }

  /** A file went on after a pause. */
  wentOnAfter(pauseMs: number): void {
    this.#longestPauseMs = Math.max(this.#longestPauseMs, pauseMs)
  }

  /** A file changed after it had been taken. */
  wasTakenTooEarly(): void {
    this.wentOnAfter(this.quietMs)
  }
}
