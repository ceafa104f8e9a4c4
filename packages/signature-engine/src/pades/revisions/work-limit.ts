import { tooComplex } from '../../pdf/errors.ts'

/** Step limit for validating one file: a legitimate one takes some thousands, a crafted one would take forever. */
const MAX_STEPS = 5_000_000

/** Counts the work over all revisions of one file, so that many small bombs are as harmless as one large. */
export class WorkLimit {
  private steps = 0

  spend(steps = 1): void {
    this.steps += steps
    if (this.steps > MAX_STEPS) throw tooComplex('the revisions of the file are too much work')
  }
}
