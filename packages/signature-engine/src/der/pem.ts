import { requireArguments } from '../errors/arguments.ts'
import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const pemErrors = {
  'pem.not-found': 'There is no {label} block and no bare base64 in the text.',
} as const satisfies ErrorVocabulary

const refusePem = refuser(pemErrors)

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,64})-----([^-]*)-----END \1-----/g
/** Looked for, because a pattern of the whole text would take room for each of its characters (fuzz/long-runs.test.ts). */
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** Wraps DER in a PEM block: 64 characters per line (RFC 7468 §2). */
export function toPem(label: string, der: Uint8Array): string {
  requireArguments('toPem', { label: [label, 'text'], der: [der, 'bytes'] })
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** Every block of one of these labels, in order. */
export function pemBlocks(text: string, ...labels: string[]): Buffer[] {
  requireArguments('pemBlocks', { text: [text, 'text'] })
  const blocks: Buffer[] = []
  for (const [, label, base64] of text.matchAll(BLOCK)) {
    if (labels.includes(label!)) blocks.push(Buffer.from(base64!, 'base64'))
  }
  return blocks
}

/** DER from any usual form: DER itself, a PEM block of one of these labels, or base64 without armour. */
export function derFromAnything(bytes: Uint8Array, ...labels: string[]): Uint8Array {
  requireArguments('derFromAnything', { bytes: [bytes, 'bytes'] })
  // Every structure read here begins with SEQUENCE, which no text does (0x30 is '0', but then a length byte follows
  // that base64 would not have).
  if (bytes[0] === 0x30 && !looksLikeText(bytes)) return bytes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const [block] = pemBlocks(text, ...labels)
  if (block) return block
  if (bytes.length > 0 && !NOT_BASE64.test(text)) return Buffer.from(text, 'base64')
  throw refusePem('pem.not-found', { label: labels[0] ?? 'PEM' })
}

function looksLikeText(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(0, 64))
    if (byte >= 0x80 || (byte < 0x20 && ![9, 10, 13].includes(byte))) return false
  return true
}
