import { readDer } from '../der/der-value.ts'
import { fromBer } from '../der/from-ber.ts'
import { derFromAnything, pemBlocks } from '../der/pem.ts'
import { contextConstructed } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { Certificate } from './certificate.ts'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const certificateLabels = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']

/**
 * The certificates in a file as authorities publish them: DER, PEM (one or many), or PKCS#7 (`.p7b`, in either form).
 * Brazilian caIssuers addresses return any of them.
 */
export function readCertificates(bytes: Uint8Array): Certificate[] {
  requireArguments('readCertificates', { bytes: [bytes, 'bytes'] })
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const blocks = pemBlocks(text, ...certificateLabels)
  // Some tools write a whole PKCS#7 under the label of a certificate.
  if (blocks.length > 0) return blocks.flatMap((der) => bagOf(der) ?? [Certificate.read(der)])
  const der = fromBer(derFromAnything(bytes, 'PKCS7', 'CMS'))
  return bagOf(der) ?? [Certificate.read(der)]
}

/** The certificates of a degenerate SignedData; undefined when the bytes are something else. */
function bagOf(der: Uint8Array): Certificate[] | undefined {
  const outer = readDer(der).sequence()
  if (outer.nextTag !== 0x06 || outer.next().oid() !== SIGNED_DATA) return undefined
  const fields = outer.next().unwrap().sequence()
  fields.next()
  fields.next()
  fields.next()
  return (
    fields
      .optional(contextConstructed(0))
      ?.members()
      .filter(({ tag }) => tag === 0x30)
      .map(({ raw }) => Certificate.read(raw)) ?? []
  )
}
