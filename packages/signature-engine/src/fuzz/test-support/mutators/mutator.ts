import type { Random } from '../random.ts'

/** Breaks a file in one way. `other` is another valid file of the same kind, for mutators that need two. */
export type Mutator = (bytes: Buffer, random: Random, other: Buffer) => Buffer

/** Mutators by the name a report calls them. */
export type Mutators = Readonly<Record<string, Mutator>>

/** The bytes with `[from, to)` replaced. */
export const replaced = (bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)])

/** A place inside the bytes and a length that stays inside. */
export function pickRange(bytes: Buffer, random: Random, longest: number): [from: number, to: number] {
  const from = random.below(bytes.length + 1)
  return [from, Math.min(bytes.length, from + random.below(longest + 1))]
}
