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
