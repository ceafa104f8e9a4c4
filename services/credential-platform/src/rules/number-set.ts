// Sets of numbers as they are kept and combined: a block of numbers is a short list, or a bit for each.

/** Numbers of a block. */
export const BLOCK_SIZE = 16_384
const BLOCK_BYTES = BLOCK_SIZE / 8
const BLOCK_WORDS = BLOCK_SIZE / 32

export const blockOf = (number: number): number => Math.floor(number / BLOCK_SIZE)
export const placeOf = (number: number): number => number % BLOCK_SIZE

/** The kept form of a block with these places besides those it has. Whatever is as long as all bits is all bits. */
export function withPlaces(kept: Uint8Array | undefined, places: readonly number[]): Uint8Array {
  const known = kept ?? new Uint8Array()
  if (known.length === BLOCK_BYTES) return bitsOf(known, places)
  const all = [...new Set([...placesIn(known), ...places])].toSorted((a, b) => a - b)
  return all.length * 2 < BLOCK_BYTES ? listOf(all) : bitsOf(new Uint8Array(BLOCK_BYTES), all)
}

function bitsOf(known: Uint8Array, places: readonly number[]): Uint8Array {
  const bits = Uint8Array.from(known)
  for (const place of places) mark(bits, place)
  return bits
}

const mark = (bits: Uint8Array, place: number): void => {
  bits[place >> 3]! |= 1 << (place & 7)
}

function listOf(places: readonly number[]): Uint8Array {
  const list = new Uint8Array(places.length * 2)
  for (const [at, place] of places.entries()) {
    list[at * 2] = place & 0xff
    list[at * 2 + 1] = place >> 8
  }
  return list
}

const placesIn = (list: Uint8Array): readonly number[] =>
  Array.from({ length: list.length / 2 }, (_, at) => list[at * 2]! | (list[at * 2 + 1]! << 8))

/** The numbers from 0 on to a limit that belong to something. */
export class NumberSet {
  readonly #words: Uint32Array
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
    this.#words = new Uint32Array(Math.ceil(limit / BLOCK_SIZE) * BLOCK_WORDS)
  }

  /** Those from one number up to another, which is not among them. */
  static range(limit: number, from: number, to: number): NumberSet {
    const set = new NumberSet(limit)
    for (let number = from; number < to; )
      if (number % 32 === 0 && number + 32 <= to) {
        set.#words[number / 32] = 0xffff_ffff
        number += 32
      } else {
        set.add(number)
        number += 1
      }
    return set
  }

  add(number: number): void {
    if (number < this.#limit) this.#words[number >>> 5]! |= 1 << (number & 31)
  }

  addBlock(block: number, kept: Uint8Array): void {
    const first = block * BLOCK_WORDS
    if (first >= this.#words.length) return
    if (kept.length < BLOCK_BYTES)
      for (const place of placesIn(kept)) this.#words[first + (place >> 5)]! |= 1 << (place & 31)
    else
      for (let word = 0, at = 0; word < BLOCK_WORDS; word += 1, at += 4)
        this.#words[first + word]! |= kept[at]! | (kept[at + 1]! << 8) | (kept[at + 2]! << 16) | (kept[at + 3]! << 24)
  }

  /** Leaves those that are in both. */
  keep(other: NumberSet): void {
    for (let at = 0; at < this.#words.length; at += 1) this.#words[at]! &= other.#words[at]!
  }

  /** The blocks that have any, in ascending order. */
  blocks(): readonly number[] {
    const found = new Set<number>()
    for (let at = 0; at < this.#words.length; at += 1)
      if (this.#words[at] !== 0) found.add(Math.floor(at / BLOCK_WORDS))
    return [...found]
  }

  size(): number {
    let size = 0
    for (const word of this.#words) size += onesOf(word)
    return size
  }

  /** From the highest number down. */
  *descending(): Generator<number> {
    for (let at = this.#words.length - 1; at >= 0; at -= 1)
      for (let rest = this.#words[at]!; rest !== 0; ) {
        const bit = 31 - Math.clz32(rest)
        yield at * 32 + bit
        rest = (rest & ~(1 << bit)) >>> 0
      }
  }
}

/** How many bits are set, added up in pairs, fours and bytes. */
function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
