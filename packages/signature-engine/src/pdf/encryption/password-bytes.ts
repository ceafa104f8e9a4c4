import { docEncoded } from '../text-string.ts'

/** The longest password of AES-256, in bytes (ISO 32000-2 §7.6.4.3.3). */
const LONGEST = 127

/**
 * The bytes a password may have been given in: PDFDocEncoding up to revision 4 and SASLprep of UTF-8 since (ISO 32000-2
 * §7.6.4.1); writers that took the text as it came are common enough to try that, too.
 */
export function passwordBytes(password: string, revision: number): readonly Uint8Array[] {
  const plain = Buffer.from(password, 'utf8')
  if (revision >= 5) return [Buffer.from(prepared(password), 'utf8'), plain].map((bytes) => bytes.subarray(0, LONGEST))
  const encoded = docEncoded(password)
  return encoded ? [encoded, plain] : [plain]
}

/** SASLprep (RFC 4013) as far as it changes text: what it maps to nothing or to a space, and compatibility forms. */
const prepared = (text: string): string => text.replace(NOTHING, '').replace(SPACES, ' ').normalize('NFKC')

const NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d\u200b-\u200d\u2060]|[\ufe00-\ufe0f]|\ufeff/gu
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu
