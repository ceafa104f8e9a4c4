import { throughQpdf } from './sample-pdfs.ts'

/** How qpdf encrypts for each method of the standard handler, by what the norm calls it. */
const methods = {
  'RC4, 40 bits (R2)': { bits: '40', options: [], weak: true },
  'RC4, 128 bits (R3)': { bits: '128', options: ['--use-aes=n'], weak: true },
  'RC4 by crypt filter (R4)': { bits: '128', options: ['--use-aes=n', '--force-V4'], weak: true },
  'AES-128 (R4)': { bits: '128', options: ['--use-aes=y'], weak: true },
  'AES-128, metadata in clear (R4)': { bits: '128', options: ['--use-aes=y', '--cleartext-metadata'], weak: true },
  'AES-256 (R5)': { bits: '256', options: ['--force-R5'], weak: true },
  'AES-256 (R6)': { bits: '256', options: [], weak: false },
  'AES-256, metadata in clear (R6)': { bits: '256', options: ['--cleartext-metadata'], weak: false },
} as const

export type EncryptionMethod = keyof typeof methods

export const encryptionMethods = Object.keys(methods) as EncryptionMethod[]

export interface EncryptOptions {
  /** Default: the empty one. */
  readonly user?: string
  /** Default `owner`. */
  readonly owner?: string
  /** Further options of qpdf: between `--encrypt` and `--`, such as `--modify=none`. */
  readonly restrictions?: readonly string[]
  /** Options beside the encryption, such as `--object-streams=generate`. */
  readonly file?: readonly string[]
}

/** The same document, encrypted by qpdf. */
export function encryptedPdf(
  pdf: Uint8Array,
  method: EncryptionMethod,
  { user = '', owner = 'owner', restrictions = [], file = [] }: EncryptOptions = {},
): Buffer {
  const { bits, options, weak } = methods[method]
  const allowed = weak ? ['--allow-weak-crypto'] : []
  return throughQpdf(pdf, ...allowed, ...file, '--encrypt', user, owner, bits, ...options, ...restrictions, '--')
}
