import { derFromAnything, toPem } from '../der/pem.ts'

export type CadesEncoding = 'DER' | 'PEM'

/** PEM labels of CMS in the field; the first is the one we write, as Brazilian tools expect it. */
const labels = ['PKCS7', 'CMS', 'PKCS #7 SIGNED DATA'] as const

/** DER (or BER) of a signature as people send it: `.p7s`, `.p7m`, PEM under any label of CMS, bare base64. */
export const cmsBytes = (file: Uint8Array): Uint8Array => derFromAnything(file, ...labels)

/** The signature as a file in this encoding. */
export const cmsFile = (der: Buffer, encoding: CadesEncoding): Buffer =>
  encoding === 'PEM' ? Buffer.from(toPem(labels[0], der), 'latin1') : der
