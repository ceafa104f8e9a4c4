/** Time is passed in: every domain function takes `now`, every component that waits takes a clock. */
export type Clock = () => Date

/** The only reader of the machine's time in product code. */
export const systemClock: Clock = () => new Date()

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const plus = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds)

/** Midnight, UTC. */
export const beginOfDay = (now: Date): Date => new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)

let second = Number.NaN
let secondText = ''

/** `toISOString()`, which costs as much as a whole log line: times of one second reuse its text, all but three digits. */
export function isoText(time: Date): string {
  const milliseconds = time.getTime() % SECOND
  // Before 1970, or no time at all.
  if (!(milliseconds >= 0)) return time.toISOString()
  if (time.getTime() - milliseconds !== second) {
    second = time.getTime() - milliseconds
    secondText = time.toISOString().slice(0, -4)
  }
  return `${secondText}${milliseconds < 100 ? String(milliseconds).padStart(3, '0') : milliseconds}Z`
}
