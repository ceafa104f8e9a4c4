export type Pkcs12Encryption = 'RC2-40' | '3DES' | 'AES-256' | 'none'

/** How a PKCS#12 file is protected. */
export interface Pkcs12Variant {
  readonly certificates: Pkcs12Encryption
  readonly key: Pkcs12Encryption
  readonly mac: 'sha1' | 'sha256' | 'none'
  /** Rounds of every key derivation in the file, the MAC's included. */
  readonly iterations: number
  /** A holder and a password that show what the variant is about. */
  readonly example: { readonly holder: string; readonly password: string }
}

const plainPassword = { holder: 'ana-souza', password: 'senha-do-cofre' }
// Outside ASCII and outside Latin-1: PKCS#12 derivations take it as UTF-16, PBES2 as UTF-8.
const accentedPassword = { holder: 'ana-souza', password: 'Coração€Ação' }
const aes256 = { certificates: 'AES-256', key: 'AES-256', mac: 'sha256', iterations: 2048 } as const
const rc2 = { certificates: 'RC2-40', key: '3DES', mac: 'sha1', iterations: 2048 } as const

/** Every kind of PKCS#12 file in use: what a reader has to open. */
export const pkcs12Variants = {
  /** Windows and OpenSSL before 3: the certificates are encrypted with 40-bit RC2. */
  'rc2-40': { ...rc2, example: plainPassword },
  '3des': { ...rc2, certificates: '3DES', example: plainPassword },
  /** OpenSSL 3. */
  'aes-256': { ...aes256, example: plainPassword },
  /** Opening it, or trying a password, takes a second. */
  'aes-256-600k': { ...aes256, iterations: 600_000, example: plainPassword },
  'aes-256-accents': { ...aes256, example: accentedPassword },
  'rc2-40-accents': { ...rc2, example: accentedPassword },
  /** Only the failing decryption shows a wrong password. */
  'no-mac': { ...aes256, mac: 'none', example: plainPassword },
  'ec-key': { ...aes256, example: { holder: 'davi-moreira', password: 'senha-do-cofre' } },
  /** The password protects only the MAC. */
  unencrypted: { ...aes256, certificates: 'none', key: 'none', example: plainPassword },
} as const satisfies Record<string, Pkcs12Variant>

export type Pkcs12VariantName = keyof typeof pkcs12Variants
