import { type KindName, kinds } from './kinds.ts'
import type { Mutators } from './mutators/mutator.ts'
import { Random } from './random.ts'
import type { Seed } from './seed.ts'

/** Valid files by kind. */
export type Corpus = Readonly<Record<KindName, readonly Seed[]>>

/** Identifies a case of a run; two numbers and a kind reproduce the same bytes from the same corpus. */
export interface CaseAddress {
  readonly kind: KindName
  readonly seed: number
  readonly index: number
}

export interface FuzzCase extends CaseAddress {
  readonly from: Seed
  /** Valid files whose signed content may be in it: its own, and the one spliced in. */
  readonly parents: readonly Seed[]
  readonly mutations: readonly string[]
  readonly bytes: Buffer
}

// What grows beyond this is an artefact of the mutator (something repeated 500 times, thrice) and shows nothing new.
const MAX_BYTES = 2_000_000

/** Makes the case of this address. */
export function makeCase(corpus: Corpus, address: CaseAddress): FuzzCase {
  const random = new Random(address.seed, address.index)
  const seeds = corpus[address.kind]
  const [from, other] = [random.pick(seeds), random.pick(seeds)]
  const { bytes, mutations } =
    (random.chance(0.2) ? tampered(from, random) : undefined) ?? damaged(address.kind, from, other, random)
  return { ...address, from, parents: [from, other], mutations, bytes: bytes.subarray(0, MAX_BYTES) }
}

type Damage = Pick<FuzzCase, 'bytes' | 'mutations'>

/** Changes one byte of the signed content: the change that no validator may miss. Undefined where it does not stand so. */
function tampered(from: Seed, random: Random): Damage | undefined {
  const parts = from.signedParts.filter((part) => from.bytes.includes(part))
  if (parts.length === 0) return undefined
  const part = random.pick(parts)
  const bytes = Buffer.from(from.bytes)
  const at = bytes.indexOf(part) + random.below(part.length)
  bytes[at]! ^= random.between(1, 255)
  return { bytes, mutations: [`signed byte ${at}`] }
}

/** One to three mutations that apply to the kind. */
function damaged(kind: KindName, from: Seed, other: Seed, random: Random): Damage {
  const available: Mutators = kinds[kind].mutators
  const names = Object.keys(available)
  let bytes = from.bytes
  const mutations: string[] = []
  for (let left = random.pick([1, 1, 1, 2, 2, 3]); left > 0; left--) {
    const name = random.pick(names)
    bytes = available[name]!(bytes, random, other.bytes)
    mutations.push(name)
  }
  return { bytes, mutations }
}
