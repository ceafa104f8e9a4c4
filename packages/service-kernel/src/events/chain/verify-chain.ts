import { BEGINNING, type ChainHead, type ChainLink, digestOf, linkOf, REMOVAL, type Removal } from './link.ts'
import type { ChainEntry } from './read-chain.ts'

/** What can be wrong with a chain; the sentences are those of an auditor's report. */
export const chainProblems = {
  'record-altered': 'the record is not what it was when its link was made',
  'record-missing': 'the record is gone, and no removal says why',
  'record-inserted': 'a record names this link, which is not its own',
  'link-altered': 'the link was changed: its digest does not fit its fields',
  'link-missing': 'the link is missing',
  'link-inserted': 'the link stands where another one, or none, belongs',
  'link-reordered': 'the link does not follow the one before it',
  'head-ahead': 'the chain ends before the kept head: it is older, or its end was cut off',
  'head-differs': 'the link is another one than the kept head says: this is another history',
} as const

type ChainProblemCode = keyof typeof chainProblems

export interface ChainProblem {
  readonly code: ChainProblemCode
  /** The link at which it is. */
  readonly sequence: number
  readonly kind?: string
  readonly recordId?: string
}

export interface ChainVerdict {
  /** Links that were looked at. */
  readonly links: number
  /** Those whose records were removed lawfully. */
  readonly removed: number
  readonly head: ChainHead
  /** How many problems there are in all. */
  readonly problemCount: number
  /** The problems at the first links, in their order. */
  readonly problems: readonly ChainProblem[]
}

/** Problems that a verdict names. */
const MOST_NAMED = 20

/** Verifies a chain in one pass, against heads that were kept elsewhere if there are any. */
export async function verifyChain(
  entries: AsyncIterable<ChainEntry>,
  { kept = [] }: { readonly kept?: readonly ChainHead[] } = {},
): Promise<ChainVerdict> {
  const pass = new VerificationPass(kept)
  for await (const entry of entries) {
    if ('stray' in entry) pass.problem('record-inserted', entry.stray)
    else pass.take(entry)
  }
  return pass.end()
}

type Named = Pick<ChainLink, 'sequence' | 'kind' | 'recordId'>

class VerificationPass {
  readonly #kept: Map<number, string[]> = new Map()
  readonly #problems: ChainProblem[] = []
  #problemCount = 0
  /** Links without a record, until a removal explains it. */
  readonly #missing = new Map<number, Named>()
  #head = BEGINNING
  #links = 0
  #removed = 0

  constructor(kept: readonly ChainHead[]) {
    for (const { sequence, link } of kept) this.#kept.set(sequence, [...(this.#kept.get(sequence) ?? []), link])
  }

  take({ link, record }: Exclude<ChainEntry, { stray: unknown }>): void {
    this.#links += 1
    this.#checkPlace(link)
    if (linkOf(link) !== link.link) this.problem('link-altered', link)
    const content = link.kind === REMOVAL ? link.removal : record
    if (!content) this.#missing.set(link.sequence, link)
    else if (digestOf(content) !== link.recordSha256) this.problem('record-altered', link)
    else if (link.kind === REMOVAL) this.#explain(link.removal!.ranges)
    this.#compare(link)
    if (link.sequence > this.#head.sequence) this.#head = { sequence: link.sequence, link: link.link }
  }

  /** Numbers go up by one, and each link names the one before. After a gap it goes on from what is there. */
  #checkPlace(link: ChainLink): void {
    const expected = this.#head.sequence + 1
    if (link.sequence < expected) this.problem('link-inserted', link)
    else if (link.sequence > expected) this.problem('link-missing', { sequence: expected })
    else if (link.previous !== this.#head.link) this.problem('link-reordered', link)
  }

  /** Through the smaller of both: an export may claim any range. */
  #explain(ranges: Removal['ranges']): void {
    for (const [from, to] of ranges) {
      const inside =
        to - from < this.#missing.size
          ? Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
          : [...this.#missing.keys()].filter((sequence) => sequence >= from && sequence <= to)
      for (const sequence of inside) if (this.#missing.delete(sequence)) this.#removed += 1
    }
  }

  #compare(link: ChainLink): void {
    for (const kept of this.#kept.get(link.sequence) ?? []) if (kept !== link.link) this.problem('head-differs', link)
    this.#kept.delete(link.sequence)
  }

  end(): ChainVerdict {
    for (const link of this.#missing.values()) this.problem('record-missing', link)
    for (const sequence of this.#kept.keys()) this.#leftOver(sequence)
    return {
      links: this.#links,
      removed: this.#removed,
      head: this.#head,
      problemCount: this.#problemCount,
      problems: this.#problems.sort(bySequence),
    }
  }

  #leftOver(sequence: number): void {
    if (sequence > this.#head.sequence) this.problem('head-ahead', { sequence })
    else if (sequence > 0) this.problem('head-differs', { sequence })
  }

  /** Keeps those of the first links, whenever they are found. */
  problem(
    code: ChainProblemCode,
    { sequence, kind, recordId }: { sequence: number; kind?: string; recordId?: string },
  ): void {
    this.#problemCount += 1
    this.#problems.push({
      code,
      sequence,
      ...(kind !== undefined && { kind }),
      ...(recordId !== undefined && { recordId }),
    })
    if (this.#problems.length > MOST_NAMED * 2) this.#problems.sort(bySequence).splice(MOST_NAMED)
  }
}

const bySequence = (a: ChainProblem, b: ChainProblem): number => a.sequence - b.sequence
