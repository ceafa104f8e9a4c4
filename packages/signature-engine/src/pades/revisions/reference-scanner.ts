const REGULAR = 0
const WHITE = 1
const DELIMITER = 2

/** ISO 32000-1 §7.2.2. */
const CLASS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = WHITE
for (const char of '()<>[]{}/%') CLASS[char.charCodeAt(0)] = DELIMITER

/** The object parser refuses deeper nesting, so nothing there is displayed. */
const MAX_DEPTH = 100

/**
 * Reports every reference in the object at an offset, with the nearest dictionary key, and returns where it stopped.
 * Nothing is built: scanning a file of thousands of objects this way costs a fraction of parsing them, which is why
 * strings, names and numbers are skipped byte by byte. It goes on where the parser would refuse; a reference too many
 * is harmless, one too few would hide an attack.
 */
export function scanReferences(bytes: Uint8Array, offset: number, found: (num: number, key: string) => void): number {
  let at = offset
  let keyStart = 0
  let keyEnd = 0
  /** The last two integers, which an `R` turns into a reference. */
  let number = -1
  let generation = -1
  /** The open containers: the key outside, and for dictionaries whether a key comes next. */
  const open: { keyStart: number; keyEnd: number; dict: boolean; next: boolean }[] = []
  let headerSeen = false
  for (;;) {
    while (CLASS[bytes[at]!] === WHITE) at++
    const byte = bytes[at]
    if (byte === undefined) return at
    const top = open[open.length - 1]
    if (byte === 0x2f) {
      const start = ++at
      while (CLASS[bytes[at]!] === REGULAR) at++
      if (top?.dict && top.next) {
        keyStart = start
        keyEnd = at
        top.next = false
      } else if (top?.dict) top.next = true
      generation = number = -1
    } else if (byte >= 0x30 && byte <= 0x39) {
      let value = 0
      for (let digit = byte; digit >= 0x30 && digit <= 0x39; digit = bytes[++at] ?? 0) value = value * 10 + digit - 0x30
      const plain = CLASS[bytes[at]!] !== REGULAR
      while (CLASS[bytes[at]!] === REGULAR) at++
      number = plain ? generation : -1
      generation = plain ? value : -1
      if (top?.dict) top.next = true
    } else if (byte === 0x52 && CLASS[bytes[at + 1]!] !== REGULAR) {
      if (number >= 0) found(number, nameText(bytes, keyStart, keyEnd))
      number = generation = -1
      at++
    } else if (byte === 0x3c && bytes[at + 1] === 0x3c) {
      if (open.length >= MAX_DEPTH) return at
      open.push({ keyStart, keyEnd, dict: true, next: true })
      at += 2
    } else if (byte === 0x5b) {
      if (open.length >= MAX_DEPTH) return at
      open.push({ keyStart, keyEnd, dict: false, next: false })
      at++
    } else if (byte === 0x5d || (byte === 0x3e && bytes[at + 1] === 0x3e)) {
      const inner = open.pop()
      if (inner) ({ keyStart, keyEnd } = inner)
      const outer = open[open.length - 1]
      if (outer) outer.next = outer.dict
      at += byte === 0x5d ? 1 : 2
    } else if (byte === 0x28) {
      at = stringEnd(bytes, at)
      if (top?.dict) top.next = true
    } else if (byte === 0x3c) {
      const end = bytes.indexOf(0x3e, at)
      at = end < 0 ? bytes.length : end + 1
      if (top?.dict) top.next = true
    } else if (byte === 0x25) {
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
    } else if (CLASS[byte] === DELIMITER) {
      return at
    } else {
      const start = at
      while (CLASS[bytes[at]!] === REGULAR) at++
      const word = nameText(bytes, start, Math.min(at, start + 7))
      if (word === 'obj' && !headerSeen) headerSeen = true
      else if (!VALUES.test(word)) return at
      number = generation = -1
      if (top?.dict) top.next = true
    }
  }
}

/** Words and numbers allowed inside an object; `stream`, `endobj` and anything else end it. */
const VALUES = /^(true|false|null|[+-.].*)$/

function stringEnd(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return at
}

function nameText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}
