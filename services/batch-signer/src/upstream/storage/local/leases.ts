import { JobFailure } from '../../../rules/job-failure.ts'

/**
 * Leases of inputs within this process. Against other programs there are those of the kernel, where it has them
 * (`leaseFile`), and the comparison of the contents (spec 2, Files 3).
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
