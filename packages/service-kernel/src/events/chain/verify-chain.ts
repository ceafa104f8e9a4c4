import type { KeyObject } from 'node:crypto'
import { type Checkpoint, type CheckpointKey, isSignedBy, readCheckpointKey } from './checkpoint.ts'
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
  'checkpoint-forged': 'the checkpoint is not signed by a key of the service',
  'checkpoint-missing': 'checkpoints before the one at this link are missing',
  'checkpoint-differs': 'the link is another one than its signed checkpoint says: the chain was computed anew',
  'checkpoint-ahead': 'the chain ends before this signed checkpoint: its end was cut off',
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
  /** Up to which link a checkpoint is signed by a key of the service, and fits; 0 without one. */
  readonly signedUpTo: number
  /** Checkpoints kept elsewhere that were signed by a key of this chain. */
  readonly witnesses: number
  /** How many problems there are in all. */
  readonly problemCount: number
  /** The problems at the first links, in their order. */
  readonly problems: readonly ChainProblem[]
}

/** Problems that a verdict names. */
const MOST_NAMED = 20

export interface VerifyOptions {
  /** Heads that were kept elsewhere. */
  readonly kept?: readonly ChainHead[]
  /** Checkpoints that were kept elsewhere; those of other keys say nothing of this chain. */
  readonly witnesses?: readonly Checkpoint[]
  /** Whether a key is one of the service. Default: every key that comes with the chain. */
  readonly trusts?: (key: CheckpointKey) => boolean
}

/** Verifies a chain in one pass, against what was kept elsewhere if there is any. */
export async function verifyChain(
  entries: AsyncIterable<ChainEntry>,
  options: VerifyOptions = {},
): Promise<ChainVerdict> {
  const pass = new VerificationPass(options)
  for await (const entry of entries) {
    if ('stray' in entry) pass.problem('record-inserted', entry.stray)
    else if ('key' in entry) pass.takeKey(entry.key)
    else if ('checkpoint' in entry) pass.takeCheckpoint(entry.checkpoint)
    else pass.take(entry)
  }
  return pass.end()
}

/** A link that must be there, and what it is called when it is another, or when the chain ends before. */
interface Expected {
  readonly link: string
  readonly differs: ChainProblemCode
  readonly ahead: ChainProblemCode
  readonly signed: boolean
}

const KEPT = { differs: 'head-differs', ahead: 'head-ahead', signed: false } as const
const SIGNED = { differs: 'checkpoint-differs', ahead: 'checkpoint-ahead', signed: true } as const

type Named = Pick<ChainLink, 'sequence' | 'kind' | 'recordId'>

class VerificationPass {
  readonly #options: VerifyOptions
  readonly #keys = new Map<string, KeyObject>()
  readonly #expected = new Map<number, Expected[]>()
  #lastCheckpoint = 0
  #signedUpTo = 0
  #witnesses = 0
  readonly #problems: ChainProblem[] = []
  #problemCount = 0
  /** Links without a record, until a removal explains it. */
  readonly #missing = new Map<number, Named>()
  #head = BEGINNING
  #links = 0
  #removed = 0

  constructor(options: VerifyOptions) {
    this.#options = options
    for (const head of options.kept ?? []) this.#expect(head, KEPT)
  }

  #expect({ sequence, link }: ChainHead, kind: Omit<Expected, 'link'>): void {
    this.#expected.set(sequence, [...(this.#expected.get(sequence) ?? []), { link, ...kind }])
  }

  takeKey(given: CheckpointKey): void {
    const key = readCheckpointKey(given)
    if (!key || !(this.#options.trusts?.(given) ?? true)) return
    this.#keys.set(given.id, key)
    for (const witness of this.#options.witnesses ?? []) if (witness.keyId === given.id) this.#takeWitness(witness, key)
  }

  #takeWitness(witness: Checkpoint, key: KeyObject): void {
    this.#witnesses += 1
    if (isSignedBy(witness, key)) this.#expect(witness, KEPT)
    else this.problem('checkpoint-forged', { sequence: witness.sequence })
  }

  takeCheckpoint(checkpoint: Checkpoint): void {
    const { number, sequence, keyId } = checkpoint
    if (number !== this.#lastCheckpoint + 1) this.problem('checkpoint-missing', { sequence })
    this.#lastCheckpoint = number
    const key = this.#keys.get(keyId)
    if (key && isSignedBy(checkpoint, key)) this.#expect(checkpoint, SIGNED)
    else this.problem('checkpoint-forged', { sequence })
  }

  take({ link, record }: Extract<ChainEntry, { link: unknown }>): void {
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
    for (const { link: expected, differs, signed } of this.#expected.get(link.sequence) ?? []) {
      if (expected !== link.link) this.problem(differs, link)
      else if (signed) this.#signedUpTo = link.sequence
    }
    this.#expected.delete(link.sequence)
  }

  end(): ChainVerdict {
    for (const link of this.#missing.values()) this.problem('record-missing', link)
    for (const [sequence, left] of this.#expected) for (const one of left) this.#leftOver(sequence, one)
    return {
      links: this.#links,
      removed: this.#removed,
      head: this.#head,
      signedUpTo: this.#signedUpTo,
      witnesses: this.#witnesses,
      problemCount: this.#problemCount,
      problems: this.#problems.sort(bySequence),
    }
  }

  #leftOver(sequence: number, { ahead, differs }: Expected): void {
    if (sequence > this.#head.sequence) this.problem(ahead, { sequence })
    else if (sequence > 0) this.problem(differs, { sequence })
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
