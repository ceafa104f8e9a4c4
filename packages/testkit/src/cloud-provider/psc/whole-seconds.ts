/** A requested lifetime: a whole number above zero, or undefined. Forms send it as text. */
export function wholeSeconds(value: unknown): number | undefined {
  const seconds = Number(value)
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
}
