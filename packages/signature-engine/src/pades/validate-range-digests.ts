import type { DigestName } from '../crypto/algorithms.ts'
import { copyDigest, startDigest } from '../crypto/digest.ts'
import type { SignedRanges } from './validate-byte-range.ts'

/**
 * Digests of the signed ranges of a file. Each signature covers all that earlier ones cover, so the file is hashed
 * once, however many signatures it has: the state at the start of a gap is kept and copied.
 */
export class RangeDigests {
  private readonly bytes: Uint8Array
  private readonly ascending: readonly SignedRanges[]
  private readonly known = new Map<string, Map<SignedRanges, Buffer>>()

  constructor(bytes: Uint8Array, ranges: readonly SignedRanges[]) {
    this.bytes = bytes
    this.ascending = [...ranges].sort((a, b) => a.firstEnd - b.firstEnd)
  }

  /** The digest of ranges given to the constructor. */
  of(ranges: SignedRanges, algorithm: DigestName): Buffer {
    let digests = this.known.get(algorithm)
    if (!digests) {
      digests = this.digestAll(algorithm)
      this.known.set(algorithm, digests)
    }
    return digests.get(ranges)!
  }

  /** The digest of any ranges. */
  once({ firstEnd, secondStart, end }: SignedRanges, algorithm: DigestName): Buffer {
    const first = startDigest(algorithm).update(this.bytes.subarray(0, firstEnd))
    return first.update(this.bytes.subarray(secondStart, end)).digest()
  }

  private digestAll(algorithm: DigestName): Map<SignedRanges, Buffer> {
    const digests = new Map<SignedRanges, Buffer>()
    const prefix = startDigest(algorithm)
    let hashed = 0
    this.ascending.forEach((ranges, i) => {
      prefix.update(this.bytes.subarray(hashed, ranges.firstEnd))
      hashed = ranges.firstEnd
      const state = i === this.ascending.length - 1 ? prefix : copyDigest(prefix, algorithm)
      digests.set(ranges, state.update(this.bytes.subarray(ranges.secondStart, ranges.end)).digest())
    })
    return digests
  }
}
