import type { Random } from '../random.ts'
import { allNodes, type DerNode, parseTree, writeTree } from './der-tree.ts'
import type { Mutator, Mutators } from './mutator.ts'

// Universal types that readers expect somewhere, context tags they choose by, and a tag of several bytes.
const tagChoices = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x17, 0x18, 0x1e, 0x30, 0x31, 0x24, 0x80, 0x81, 0xa0, 0xa1,
  0xa2, 0xa3, 0x1f, 0x00,
]

/** Mutators for DER: broken headers, and rearranged trees with correct lengths. */
export const derDamage: Mutators = {
  'length field': (bytes, random) => {
    const broken = Buffer.from(bytes)
    const headers = headerOffsets(bytes)
    const at = headers.length > 0 ? random.pick(headers) + 1 : 0
    if (at < broken.length) broken[at] = random.pick([0x00, 0x80, 0x81, 0x82, 0x84, 0x88, 0xff, broken[at]! + 1])
    return broken
  },
  'huge length': (bytes, random) => {
    const headers = headerOffsets(bytes)
    const at = headers.length > 0 ? random.pick(headers) + 1 : 0
    const length = Buffer.concat([Buffer.of(0x80 | 4), random.bytes(4)])
    return Buffer.concat([bytes.subarray(0, at), length, bytes.subarray(at + 1)])
  },
  'remove a value': inTree((list, index) => void list.splice(index, 1)),
  'repeat a value': inTree((list, index, random) => {
    const times = random.pick([1, 1, 2, 50])
    list.splice(index, 0, ...Array.from({ length: times }, () => list[index]!))
  }),
  'swap neighbours': inTree((list, index) => {
    const [node] = list.splice(index, 1)
    list.splice(Math.max(0, index - 1), 0, node!)
  }),
  'another tag': inTree((list, index, random) => {
    list[index] = { ...list[index]!, tag: random.pick(tagChoices) }
  }),
  'empty a value': inTree((list, index) => {
    list[index] = { ...list[index]!, content: Buffer.alloc(0), members: undefined }
  }),
  'change a value': inTree((list, index, random) => {
    const { content } = list[index]!
    const broken = Buffer.from(content)
    if (broken.length > 0) broken[random.below(broken.length)] = random.below(256)
    list[index] = { ...list[index]!, content: broken, members: undefined }
  }),
  'grow a value': inTree((list, index, random) => {
    const more = random.bytes(random.pick([1, 8, 64, 4096]))
    list[index] = { ...list[index]!, content: Buffer.concat([list[index]!.content, more]), members: undefined }
  }),
  'huge number': inTree((list, index, random) => {
    const digits = Buffer.concat([Buffer.of(random.pick([0x00, 0x7f, 0x80])), random.bytes(random.pick([3, 7, 600]))])
    list[index] = { tag: 0x02, content: digits, members: undefined }
  }),
  'move a value elsewhere': inTree((list, index, random, nodes) => {
    const [target, at] = random.pick(nodes)
    target[at] = list[index]!
  }),
  'deep nesting': inTree((list, index, random) => {
    const tag = random.pick([0x30, 0x31, 0xa0, 0x24])
    // Far deeper than any real structure and than a recursive reader could bear.
    let nested = writeTree([list[index]!])
    for (let depth = random.pick([20, 70, 3000]); depth > 0; depth--) nested = wrapped(tag, nested)
    list[index] = { tag, content: nested, members: undefined }
  }),
  'indefinite length': (bytes) => {
    const start = bytes[1] === undefined || bytes[1] < 0x80 ? 2 : 2 + (bytes[1] & 0x7f)
    return Buffer.concat([bytes.subarray(0, 1), Buffer.of(0x80), bytes.subarray(start), Buffer.of(0, 0)])
  },
  'indefinite nesting': (bytes, random) =>
    Buffer.concat([Buffer.alloc(2 * random.pick([50, 100, 5000]), Buffer.of(0x30, 0x80)), bytes]),
}

type TreeDamage = (list: DerNode[], index: number, random: Random, nodes: [DerNode[], number][]) => void

/** Mutates one node of those that qualify, each equally likely, and writes the rest unchanged. */
export function inTree(damage: TreeDamage, qualifies: (node: DerNode) => boolean = () => true): Mutator {
  return (bytes, random) => {
    const tree = parseTree(bytes)
    const nodes = (tree ? allNodes(tree) : []).filter(([list, index]) => qualifies(list[index]!))
    if (!tree || nodes.length === 0) return bytes
    const [list, index] = random.pick(nodes)
    // A value moved into itself would be endless.
    const apart = nodes.filter(
      ([other, at]) => !contains(list[index]!, other[at]!) && !contains(other[at]!, list[index]!),
    )
    damage(list, index, random, apart.length > 0 ? apart : [[list, index]])
    return writeTree(tree)
  }
}

function contains(outer: DerNode, inner: DerNode): boolean {
  return outer === inner || (outer.members ?? []).some((member) => contains(member, inner))
}

const wrapped = (tag: number, content: Buffer): Buffer => writeTree([{ tag, content, members: undefined }])

/** Offsets of headers, as far as the bytes can be parsed. */
function headerOffsets(bytes: Buffer): number[] {
  const offsets: number[] = []
  const walk = (from: number, to: number, depth: number): void => {
    for (let at = from; at + 2 <= to && depth < 40; ) {
      const first = bytes[at + 1]!
      const count = first < 0x80 ? 0 : first & 0x7f
      if (count > 4 || at + 2 + count > to) return
      const length = count === 0 ? first : bytes.readUIntBE(at + 2, count)
      const start = at + 2 + count
      if (start + length > to) return
      offsets.push(at)
      if ((bytes[at]! & 0x20) !== 0) walk(start, start + length, depth + 1)
      at = start + length
    }
  }
  walk(0, bytes.length, 0)
  return offsets
}
