import type { EventChanges } from './event.ts'

type Values = Readonly<Record<string, unknown>>

/** The fields that differ, as they were and as they are; undefined where all are the same. */
export function changesOf(before: Values, after: Values): EventChanges | undefined {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (names.length === 0) return undefined
  const picked = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: picked(before), after: picked(after) }
}
