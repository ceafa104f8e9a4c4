import { type Clock, MINUTE, SECOND } from '../clock/index.ts'
import type { Check, CheckResult } from './readiness.ts'

export interface LastingOptions {
  readonly clock: Clock
  /** How long a result is believed, in milliseconds. Default: a minute. */
  readonly lastsMs?: number
  /** How long the check may take, in milliseconds; less than readiness waits. Default: 4 s. */
  readonly limitMs?: number
  /** The result while it takes longer. Default: red. */
  readonly late?: CheckResult
}

/** A red result is believed for less: what is there again is soon told. */
const RED_LASTS = 10 * SECOND

/**
 * A check of what must not be asked with every verdict: somebody else's server, a token. Its last result is given while a
 * new one is found, so that whoever asks for readiness does not wait for others; one of which nobody asked for long is
 * waited for. It is not begun again while it runs.
 */
export function lasting(check: Check, options: LastingOptions): Check {
  const { clock, lastsMs = MINUTE } = options
  let last: { readonly result: CheckResult; readonly at: number } | undefined
  let looking: Promise<CheckResult> | undefined
  let isRunning = false
  const look = (): Promise<CheckResult> => {
    if (isRunning) return looking!
    isRunning = true
    const { ended, inTime } = limited(check, options)
    void ended.then(() => {
      isRunning = false
    })
    looking = inTime.then((result) => {
      last = { result, at: clock().getTime() }
      return result
    })
    return looking
  }
  return async () => {
    const age = last ? Math.abs(clock().getTime() - last.at) : Number.POSITIVE_INFINITY
    const lasts = last?.result.ok ? lastsMs : Math.min(lastsMs, RED_LASTS)
    if (age < lasts) return last!.result
    const next = look()
    return age < 2 * lasts ? last!.result : next
  }
}

/** The check as it ends, and what is told of it in time. */
function limited(check: Check, { limitMs = 4 * SECOND, late }: LastingOptions) {
  const limit = new AbortController()
  const ended = begun(check, limit.signal)
  const inTime = new Promise<CheckResult>((resolve) => {
    const timer = setTimeout(() => {
      limit.abort()
      resolve(late ?? { ok: false, detail: `no answer in ${limitMs / SECOND} s` })
    }, limitMs)
    void ended.then((result) => {
      clearTimeout(timer)
      resolve(result)
    })
  })
  return { ended, inTime }
}

/** Never rejects: a check that throws is red. */
async function begun(check: Check, signal: AbortSignal): Promise<CheckResult> {
  try {
    return await check(signal)
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message || error.name : String(error) }
  }
}
