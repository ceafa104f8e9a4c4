import { type Clock, SECOND } from '../clock/index.ts'

/** The result of a check. The detail is for operators and never shown to anonymous callers. */
export interface CheckResult {
  readonly ok: boolean
  readonly detail?: string
}

/** One named result of a verdict. */
export interface NamedCheck extends CheckResult {
  readonly name: string
}

/** Whether the service can do its work, and what each check found, in the order the checks were added. */
export interface ReadinessVerdict {
  readonly ready: boolean
  readonly checks: readonly NamedCheck[]
}

/** Checks one dependency of the service. The signal is aborted when the check's time is up. */
export type Check = (signal: AbortSignal) => Promise<CheckResult>

export interface CheckOptions {
  /** Whether a failure makes the service not ready; otherwise it is shown but not counted. Default: true. */
  readonly gates?: boolean
  /** How long the check may take, in seconds. Default: 5. */
  readonly timeoutSeconds?: number
}

/** The readiness of a service. */
export interface Readiness {
  /** Adds a check, or replaces the one of that name. */
  add(name: string, check: Check, options?: CheckOptions): void
  remove(name: string): void
  /** The current verdict: one at most `cacheSeconds` old, or a new one, which concurrent callers share. */
  verdict(): Promise<ReadinessVerdict>
}

export interface ReadinessOptions {
  /** How long a verdict is cached, in seconds; 0 disables the cache. */
  readonly cacheSeconds: number
  readonly clock: Clock
}

/** Creates the readiness of a service without checks: ready. */
export function createReadiness(options: ReadinessOptions): Readiness {
  return new CachedReadiness(options)
}

interface RegisteredCheck {
  readonly check: Check
  readonly gates: boolean
  readonly timeoutSeconds: number
}

class CachedReadiness implements Readiness {
  readonly #options: ReadinessOptions
  readonly #checks = new Map<string, RegisteredCheck>()
  #running: Promise<ReadinessVerdict> | undefined
  #last: { readonly verdict: ReadinessVerdict; readonly at: number } | undefined

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  add(name: string, check: Check, { gates = true, timeoutSeconds = 5 }: CheckOptions = {}): void {
    this.#checks.set(name, { check, gates, timeoutSeconds })
    this.#forget()
  }

  remove(name: string): void {
    if (this.#checks.delete(name)) this.#forget()
  }

  verdict(): Promise<ReadinessVerdict> {
    if (this.#last && this.#isFresh(this.#last.at)) return Promise.resolve(this.#last.verdict)
    this.#running ??= this.#ask()
    return this.#running
  }

  /** Drops the cached verdict, also one being computed: the checks have changed. */
  #forget(): void {
    this.#last = undefined
    this.#running = undefined
  }

  #ask(): Promise<ReadinessVerdict> {
    const asked = askAll([...this.#checks]).then((verdict) => {
      if (this.#running === asked) this.#keep(verdict)
      return verdict
    })
    return asked
  }

  #keep(verdict: ReadinessVerdict): void {
    this.#running = undefined
    this.#last = { verdict, at: this.#options.clock().getTime() }
  }

  /** A clock that was set back says nothing of how old a verdict is. */
  #isFresh(at: number): boolean {
    const age = this.#options.clock().getTime() - at
    return age >= 0 && age < this.#options.cacheSeconds * SECOND
  }
}

async function askAll(checks: readonly [string, RegisteredCheck][]): Promise<ReadinessVerdict> {
  const answers = await Promise.all(
    checks.map(async ([name, one]) => ({ name, gates: one.gates, ...(await askOne(one)) })),
  )
  return {
    ready: answers.every(({ ok, gates }) => ok || !gates),
    checks: answers.map(({ gates: _, ...named }) => named),
  }
}

/** A check never breaks the verdict: one that throws or hangs counts as failed. */
async function askOne({ check, timeoutSeconds }: RegisteredCheck): Promise<CheckResult> {
  const limit = new AbortController()
  const { promise, timer } = noAnswer(timeoutSeconds, limit)
  try {
    return await Promise.race([startCheck(check, limit.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}

async function startCheck(check: Check, signal: AbortSignal): Promise<CheckResult> {
  try {
    return await check(signal)
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}

function noAnswer(timeoutSeconds: number, limit: AbortController) {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => {
      limit.abort()
      resolve({ ok: false, detail: `no answer in ${timeoutSeconds} s` })
    }, timeoutSeconds * SECOND)
  })
  return { promise, timer }
}

// A refused connection to a name with two addresses is an AggregateError, whose own message is empty.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message || error.name : String(error)
}
