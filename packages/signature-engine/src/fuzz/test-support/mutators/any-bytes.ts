import { type Mutators, pickRange, replaced } from './mutator.ts'

// Boundary values of counters, signs and lengths.
const telling = [0x00, 0x01, 0x7f, 0x80, 0x81, 0x84, 0xfe, 0xff, 0x20, 0x0a, 0x0d, 0x30, 0x31]

/** Mutators for any file format. */
export const anyBytes: Mutators = {
  'flip bits': (bytes, random) => {
    const broken = Buffer.from(bytes)
    for (let left = random.between(1, 4); left > 0 && broken.length > 0; left--)
      broken[random.below(broken.length)]! ^= 1 << random.below(8)
    return broken
  },
  'set bytes': (bytes, random) => {
    const broken = Buffer.from(bytes)
    for (let left = random.between(1, 8); left > 0 && broken.length > 0; left--)
      broken[random.below(broken.length)] = random.chance(0.5) ? random.pick(telling) : random.below(256)
    return broken
  },
  truncate: (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  'drop the beginning': (bytes, random) => bytes.subarray(random.below(Math.min(bytes.length, 64) + 1)),
  'cut out': (bytes, random) => {
    const [from, to] = pickRange(bytes, random, 512)
    return replaced(bytes, from, to, Buffer.alloc(0))
  },
  'say twice': (bytes, random) => {
    const [from, to] = pickRange(bytes, random, 4096)
    return replaced(bytes, to, to, bytes.subarray(from, to))
  },
  insert: (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return replaced(bytes, at, at, random.bytes(random.between(1, 32)))
  },
  append: (bytes, random) => Buffer.concat([bytes, random.bytes(random.between(1, 64))]),
  splice: (bytes, random, other) =>
    Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(random.below(other.length + 1))]),
  'copy over': (bytes, random, other) => {
    const [from, to] = pickRange(other, random, 256)
    const at = random.below(bytes.length + 1)
    return replaced(bytes, at, Math.min(bytes.length, at + to - from), other.subarray(from, to))
  },
  noise: (_, random) => random.bytes(random.below(512)),
}
