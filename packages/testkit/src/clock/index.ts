import type { Clock } from '@chancela/service-kernel/clock'

export interface TestClock extends Clock {
  /** Moves time forward. */
  advance(milliseconds: number): void
  /** Sets the time, backwards included. */
  set(time: Date | string): void
}

/** The only fake of the suite: a clock that stands still until the test changes it. */
export function testClock(start: Date | string = '2026-03-02T12:00:00.000Z'): TestClock {
  let now = new Date(start)
  return Object.assign(() => new Date(now), {
    advance: (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds)
    },
    set: (time: Date | string) => {
      now = new Date(time)
    },
  })
}
