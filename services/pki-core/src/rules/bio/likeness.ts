/** How like two descriptors of length 1 are: their cosine. */
export const likeness = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * other[index]!, 0)

/** The direction between several descriptors: what they have in common counts, what one of them has alone does not. */
export function meanOf(all: readonly Float32Array[]): Float32Array {
  const sum = all[0]!.map((_, index) => all.reduce((total, one) => total + one[index]!, 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

export const toBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

export function fromBytes(bytes: Uint8Array): Float32Array {
  const own = new Uint8Array(bytes)
  return new Float32Array(own.buffer)
}
