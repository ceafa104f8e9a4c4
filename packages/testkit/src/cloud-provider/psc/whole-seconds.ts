/** A lifetime that is asked for: a whole number above zero, or nothing. Forms send it as text. */
export function wholeSeconds(value: unknown): number | undefined {
  const seconds = Number(value)
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
}
