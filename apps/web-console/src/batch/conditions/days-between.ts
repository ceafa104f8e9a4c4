const DAY_MS = 86_400_000

/** Days from one date to another by the calendar of the browser: 1 is tomorrow, whatever the hour. */
export function daysBetween(from: Date, to: Date): number {
  const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
  // Rounded, because a day of a change of the clocks has 23 or 25 hours.
  return Math.round((midnight(to) - midnight(from)) / DAY_MS)
}
