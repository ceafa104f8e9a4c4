import { encodedEnd } from '../der/encoded-end.ts'
import { derFromAnything, pemBlocks, toPem } from '../der/pem.ts'
import { EngineError } from '../errors/engine-error.ts'

export type CadesEncoding = 'DER' | 'PEM'

/** PEM labels of CMS in the field; the first is the one we write, as Brazilian tools expect it. */
const labels = ['PKCS7', 'CMS', 'PKCS #7 SIGNED DATA'] as const

/** DER (or BER) of a signature as people send it: `.p7s`, `.p7m`, PEM under any label of CMS, bare base64. */
export const cmsBytes = (file: Uint8Array): Uint8Array => derFromAnything(file, ...labels)

/**
 * The structure at the start of these bytes, and how many more follow it: other programs read the structure and leave
 * them alone (OpenSSL, for one). Bytes that end nowhere are left to the reader, which names what is wrong.
 */
export function withoutTrailing(bytes: Uint8Array): { readonly cms: Uint8Array; readonly trailing: number } {
  try {
    const end = encodedEnd(bytes)
    return { cms: bytes.subarray(0, end), trailing: bytes.length - end }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { cms: bytes, trailing: 0 }
  }
}

/**
 * The structure that a file begins with, and the bytes behind it. Of several blocks of PEM the first is read, as OpenSSL
 * does; the others are bytes behind it.
 */
export function firstCms(file: Uint8Array): { readonly cms: Uint8Array; readonly trailing: number } {
  const der = cmsBytes(file)
  const { cms, trailing } = withoutTrailing(der)
  return { cms, trailing: trailing + (der === file ? 0 : furtherBlocks(file)) }
}

function furtherBlocks(file: Uint8Array): number {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('latin1')
  return pemBlocks(text, ...labels)
    .slice(1)
    .reduce((sum, { length }) => sum + length, 0)
}

/** The signature as a file in this encoding. */
export const cmsFile = (der: Buffer, encoding: CadesEncoding): Buffer =>
  encoding === 'PEM' ? Buffer.from(toPem(labels[0], der), 'latin1') : der
