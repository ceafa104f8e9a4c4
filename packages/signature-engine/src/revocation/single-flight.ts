import { EngineError } from '../errors/engine-error.ts'
import { BoundedCache } from './bounded-cache.ts'

/** In one English sentence, why there is nothing. */
export interface Problem {
  readonly problem: string
}

/** Failures cached; each is a sentence. */
const MAX_FAILURES = 10_000

/** Concurrent callers share one fetch, and a recent failure prevents another. */
export class SingleFlight<Value extends object> {
  readonly #retryAfterMs: number
  readonly #underWay = new Map<string, Promise<Value | Problem>>()
  readonly #failures = new BoundedCache<Problem & { readonly at: number }>(MAX_FAILURES)

  constructor(retryAfterMs: number) {
    this.#retryAfterMs = retryAfterMs
  }

  async run(key: string, now: Date, fetch: () => Promise<Value | Problem>): Promise<Value | Problem> {
    const failure = this.#failures.get(key)
    if (failure && Math.abs(now.getTime() - failure.at) < this.#retryAfterMs) return { problem: failure.problem }
    const underWay = this.#underWay.get(key) ?? this.#start(key, now, fetch)
    return underWay
  }

  #start(key: string, now: Date, fetch: () => Promise<Value | Problem>): Promise<Value | Problem> {
    const flight = asProblem(fetch)
      .then((result) => {
        if ('problem' in result) this.#failures.set(key, { problem: result.problem, at: now.getTime() }, 1)
        return result
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, flight)
    return flight
  }
}

/** A refusal becomes a problem, because the next address may answer; any other error is a bug and is rethrown. */
async function asProblem<Value>(fetch: () => Promise<Value | Problem>): Promise<Value | Problem> {
  try {
    return await fetch()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { problem: error.message }
  }
}
