import { conditions, type HoldReason, ProfileHeld } from '../../rules/conditions.ts'
import { Holds, type HoldsOptions } from '../holds.ts'

export interface ProfileHoldsOptions extends Pick<HoldsOptions<HoldReason>, 'clock' | 'logger' | 'firstTryMs'> {
  /** Tries whether the profile could sign, without any file; throws ProfileHeld while it cannot. */
  probe(profile: string, reason: HoldReason): Promise<void>
}

/** A job that was put back, and how many signatures its profile had made by then. */
interface PutBack {
  times: number
  madeBefore: number
}

/** How often a job is put back while others of its profile are signed, before the cause is taken to be its file. */
const MOST_PUT_BACK = 3

/** The profiles that cannot sign now, and when each is tried again. */
export class ProfileHolds extends Holds<HoldReason> {
  readonly #made = new Map<string, number>()
  readonly #putBack = new Map<string, PutBack>()

  constructor({ probe, ...options }: ProfileHoldsOptions) {
    super({
      ...options,
      what: 'profile',
      Held: ProfileHeld,
      isTriedAgain: (reason) => conditions[reason].isTriedAgain,
      probe: ({ name, reason }) => probe(name, reason),
    })
  }

  /** A signature of the profile was made: its files can be signed. */
  signed(profile: string, jobId: string): void {
    this.#made.set(profile, (this.#made.get(profile) ?? 0) + 1)
    this.#putBack.delete(jobId)
  }

  /**
   * Whether a job that meets a condition goes back to the queue. Not when it met one several times and its profile
   * signed others in between: then something about the file is the cause, and the profile would be held for ever.
   */
  mayPutBack(profile: string, jobId: string): boolean {
    const made = this.#made.get(profile) ?? 0
    const before = this.#putBack.get(jobId)
    const times = (before?.times ?? 0) + (before === undefined || made > before.madeBefore ? 1 : 0)
    const isFile = times > MOST_PUT_BACK
    if (isFile) this.#putBack.delete(jobId)
    else this.#putBack.set(jobId, { times, madeBefore: made })
    return !isFile
  }
}
