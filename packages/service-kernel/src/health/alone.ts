import type { Check, CheckResult } from './readiness.ts'

/**
 * A check that is not begun again while it runs: one that hangs would take another connection, thread or file with every
 * verdict. Whoever asks meanwhile waits for the one that runs.
 */
export function alone(check: Check): Check {
  let running: Promise<CheckResult> | undefined
  return (signal) => {
    running ??= check(signal).finally(() => {
      running = undefined
    })
    return running
  }
}
