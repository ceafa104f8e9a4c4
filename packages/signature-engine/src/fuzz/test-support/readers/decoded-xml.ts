/** Encodings whose every byte is that of the decoder of the platform; its ISO-8859-1 is windows-1252. */
const LATIN_1 = /^(iso-8859-1|iso_8859-1|latin1|us-ascii|ascii)$/i

/** A document in UTF-8, by a decoder that is not the engine's; empty where none knows the encoding. */
export function decodedXml(bytes: Buffer): Buffer {
  const start = bytes.toString('latin1', 0, 200).replaceAll('\0', '')
  const declared = /^[^?]{0,8}\?xml[^>]*encoding\s*=\s*["']([\w.-]*)/.exec(start)?.[1] ?? 'UTF-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(bytes.toString('utf16le'))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(bytes))
  if (LATIN_1.test(declared)) return Buffer.from(bytes.toString('latin1'))
  try {
    // As of a stream: at once, Node 20 decodes windows-1252 as if it were ISO-8859-1.
    return Buffer.from(new TextDecoder(declared).decode(bytes, { stream: true }))
  } catch {
    return Buffer.alloc(0) // The platform has no such encoding: nothing in it may be valid.
  }
}
