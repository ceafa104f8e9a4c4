import { JobFailure } from '../../../rules/job-failure.ts'

/**
 * Leases of inputs. Local folders have no leases that bind other programs, so these are only within this process;
 * comparing the contents protects a file that others write to (spec 2, Files 3).
 */
export class Leases {
  readonly #held = new Set<string>()

  /** Runs `work` with an exclusive lease of the path; JobFailure job.input-held when it is leased. */
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
