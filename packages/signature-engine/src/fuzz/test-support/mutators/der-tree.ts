/** One value of an encoding, with its members when they could be read. */
export interface DerNode {
  tag: number
  /** The content of a primitive value; of a constructed one only when it could not be read as members. */
  content: Buffer
  members: DerNode[] | undefined
}

const MAX_DEPTH = 40

/** Parses what can be parsed, so that a mutation can go deeper; undefined when the bytes are no DER at all. */
export function parseTree(bytes: Buffer, depth = 0): DerNode[] | undefined {
  const nodes: DerNode[] = []
  for (let at = 0; at < bytes.length; ) {
    const header = headerAt(bytes, at)
    if (!header) return undefined
    const content = bytes.subarray(header.start, header.end)
    nodes.push({ tag: bytes[at]!, content, members: membersOf(bytes[at]!, content, depth) })
    at = header.end
  }
  return nodes
}

// OCTET STRINGs often wrap further DER (extensions, PKCS#12 safes, tokens): those are opened like a constructed value.
function membersOf(tag: number, content: Buffer, depth: number): DerNode[] | undefined {
  if (depth >= MAX_DEPTH || content.length === 0) return undefined
  if ((tag & 0x20) !== 0) return parseTree(content, depth + 1)
  return tag === 0x04 && content[0] === 0x30 ? parseTree(content, depth + 1) : undefined
}

function headerAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const first = bytes[at + 1]
  if (first === undefined || first === 0x80) return undefined
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4 || at + 2 + count > bytes.length) return undefined
  const length = count === 0 ? first : bytes.readUIntBE(at + 2, count)
  const start = at + 2 + count
  return start + length > bytes.length ? undefined : { start, end: start + length }
}

/** Writes the tree with correct lengths, so that only the intended mutation is left. */
export function writeTree(nodes: readonly DerNode[]): Buffer {
  return Buffer.concat(nodes.flatMap((node) => [...headerAndContent(node)]))
}

function headerAndContent({ tag, content, members }: DerNode): [Buffer, Buffer] {
  const inner = members ? writeTree(members) : content
  return [Buffer.concat([Buffer.of(tag), lengthOctets(inner.length)]), inner]
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(length)
  const significant = octets.subarray(octets.findIndex((octet) => octet !== 0))
  return Buffer.concat([Buffer.of(0x80 | significant.length), significant])
}

/** Every node with its containing list, from the outside in. */
export function allNodes(nodes: DerNode[], found: [DerNode[], number][] = []): [DerNode[], number][] {
  for (const [index, node] of nodes.entries()) {
    found.push([nodes, index])
    if (node.members) allNodes(node.members, found)
  }
  return found
}
