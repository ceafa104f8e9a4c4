import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'

/** A record as its table keeps it: the covered columns by name. */
export type ChainedRecord = Readonly<Record<string, unknown>>

const Sequence = Type.Integer()

/** Why records were deleted, and the links they leave, as inclusive ranges of numbers. */
export const RemovalSchema = Type.Object({
  reason: Type.String(),
  ranges: Type.Array(Type.Tuple([Sequence, Sequence])),
})

export type Removal = Static<typeof RemovalSchema>

/** One link: what was recorded, and that it came after the link before. */
export const LinkSchema = Type.Object({
  /** From 1, without gaps. */
  sequence: Sequence,
  kind: Type.String(),
  recordId: Type.String(),
  recordSha256: Type.String(),
  /** When the link was made, shortly after the record. */
  at: Type.String(),
  /** The link before; of the first one, zeros. */
  previous: Type.String(),
  link: Type.String(),
  /** Of a link of kind `removal`. */
  removal: Type.Optional(RemovalSchema),
})

export type ChainLink = Readonly<Static<typeof LinkSchema>>

/** The end of a chain: whoever keeps it elsewhere finds out when anything before it was changed. */
export const HeadSchema = Type.Object({ sequence: Sequence, link: Type.String() })

export type ChainHead = Readonly<Static<typeof HeadSchema>>

export const REMOVAL = 'removal'

/** What the first link follows. */
export const BEGINNING: ChainHead = { sequence: 0, link: '0'.repeat(64) }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** JSON that is the same for the same values, whatever the order of their names. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`
}

export const digestOf = (record: object): string => sha256(canonicalJson(record))

/** The digest that binds a link's fields to the link before. */
export const linkOf = ({ sequence, kind, recordId, recordSha256, at, previous }: Omit<ChainLink, 'link'>): string =>
  sha256(canonicalJson([sequence, kind, recordId, recordSha256, at, previous]))

/** Something that gets a link. */
export interface Unlinked {
  readonly kind: string
  readonly recordId: string
  readonly recordSha256: string
  readonly removal?: Removal
}

/** Links for these, after the head. */
export function linksAfter(head: ChainHead, unlinked: readonly Unlinked[], at: string): readonly ChainLink[] {
  const links: ChainLink[] = []
  for (const one of unlinked) {
    const { sequence, link: previous } = links.at(-1) ?? head
    const fields = { ...one, sequence: sequence + 1, at, previous }
    links.push({ ...fields, link: linkOf(fields) })
  }
  return links
}

/** The ranges of ascending numbers. */
export function rangesOf(sequences: readonly number[]): Removal['ranges'] {
  const ranges: [number, number][] = []
  for (const sequence of sequences) {
    const last = ranges.at(-1)
    if (last && sequence <= last[1] + 1) last[1] = Math.max(last[1], sequence)
    else ranges.push([sequence, sequence])
  }
  return ranges
}
