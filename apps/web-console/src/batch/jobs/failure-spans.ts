/** How far back failures are looked at, in hours. */
export const failureSpans = { day: 24, week: 168, month: 720 } as const
