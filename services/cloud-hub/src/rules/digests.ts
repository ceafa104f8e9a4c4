/** Digest algorithms by the name the engine uses. */
export type DigestName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** Hashes of one algorithm. */
export interface Hashes {
  readonly digest: DigestName
  readonly values: readonly Uint8Array[]
}

interface DigestAlgorithm {
  readonly oid: string
  readonly bytes: number
  /** Its name in the signature engine, which is OpenSSL's. */
  readonly engineName: 'sha1' | 'sha256' | 'sha384' | 'sha512'
}

/** The supported algorithms. MD5 is never supported, whatever the settings say. */
export const digestAlgorithms: Readonly<Record<DigestName, DigestAlgorithm>> = {
  'SHA-1': { oid: '1.3.14.3.2.26', bytes: 20, engineName: 'sha1' },
  'SHA-256': { oid: '2.16.840.1.101.3.4.2.1', bytes: 32, engineName: 'sha256' },
  'SHA-384': { oid: '2.16.840.1.101.3.4.2.2', bytes: 48, engineName: 'sha384' },
  'SHA-512': { oid: '2.16.840.1.101.3.4.2.3', bytes: 64, engineName: 'sha512' },
}
