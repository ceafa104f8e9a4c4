/** The ways in which writers encode a password, the standard's first. */
export interface PasswordForms {
  /** For the derivation of RFC 7292: a BMPString that ends in two zero bytes. */
  readonly wide: readonly Buffer[]
  /** For PBKDF2 (RFC 8018): UTF-8. */
  readonly narrow: readonly Buffer[]
}

/**
 * Every form worth trying. Plain ASCII has one. An empty password is written with its two zero bytes or without any;
 * old writers widened the UTF-8 bytes of an accented password one by one, and some gave PBKDF2 its Latin-1 bytes.
 */
export function passwordForms(password: Uint8Array): PasswordForms {
  const utf8 = Buffer.from(password)
  const text = utf8.toString('utf8')
  if (text.length === 0) return { wide: [Buffer.alloc(2), Buffer.alloc(0)], narrow: [Buffer.alloc(0)] }
  if (text.length === utf8.length) return { wide: [zeroEnded(text)], narrow: [utf8] }
  const latin1 = [...text].every((character) => character.codePointAt(0)! < 0x100)
  return {
    wide: [zeroEnded(text), zeroEnded(utf8.toString('latin1'))],
    narrow: latin1 ? [utf8, Buffer.from(text, 'latin1')] : [utf8],
  }
}

/** Overwrites every form; JavaScript strings cannot be wiped. */
export function wipeForms({ wide, narrow }: PasswordForms): void {
  for (const form of [...wide, ...narrow]) form.fill(0)
}

const zeroEnded = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le').swap16()
