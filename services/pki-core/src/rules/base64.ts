const FOREIGN = /[^A-Za-z0-9+/]/

/** Bytes of standard base64 with padding (pki-core facts 1, rule 2); undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text
  if (text.length % 4 !== 0 || FOREIGN.test(digits)) return undefined
  return Buffer.from(text, 'base64')
}
