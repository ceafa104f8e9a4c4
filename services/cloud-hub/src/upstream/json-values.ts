// Reads provider answers, which may contain anything.

export type JsonRecord = Readonly<Record<string, unknown>>

export const recordOf = (value: unknown): JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A non-empty string; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A century: a date cannot represent much later times. */
const MOST_SECONDS = 3_155_760_000

/** A positive number, also as text. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
    ? Math.min(seconds, MOST_SECONDS)
    : undefined
}
