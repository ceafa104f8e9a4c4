import { JobFailure } from '../../../rules/job-failure.ts'

/**
 * Who holds which input. Local folders know no leases that bind strangers, so that this is bookkeeping of the process;
 * the comparison of contents is what protects a file that others write to (spec 2, Files 3).
 */
export class Leases {
  readonly #held = new Set<string>()

  /** Runs `work` while it alone holds the path; JobFailure job.input-held when somebody has it. */
  async holding<T>(path: string, work: () => Promise<T>): Promise<T> {
    if (this.#held.has(path)) throw new JobFailure('job.input-held')
    this.#held.add(path)
    try {
      return await work()
    } finally {
      this.#held.delete(path)
    }
  }
}
