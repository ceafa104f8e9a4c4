import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { explicit, integer, sequence } from '../der/der-writer.ts'
import type { Certificate } from '../x509/certificate.ts'

/** The text that signatures contain of a certificate. */
export interface CertificateText {
  readonly base64: string
  /** RFC 4514 name of the issuer. */
  readonly issuer: string
  readonly serialNumber: string
  /** DER of IssuerSerial (RFC 5035) in base64, as IssuerSerialV2 requires it. */
  readonly issuerSerial: string
  digest(name: DigestName): string
}

// The same few certificates sign everything: their text is built once.
const texts = new WeakMap<Certificate, CertificateText>()

/** The text of a certificate; the same object while the certificate lives. */
export function certificateText(certificate: Certificate): CertificateText {
  let text = texts.get(certificate)
  if (text === undefined) {
    text = describe(certificate)
    texts.set(certificate, text)
  }
  return text
}

const DIRECTORY_NAME = 4

function describe(certificate: Certificate): CertificateText {
  const digests = new Map<DigestName, string>()
  const generalNames = sequence(explicit(DIRECTORY_NAME, certificate.issuer.der))
  return {
    base64: certificate.der.toString('base64'),
    issuer: certificate.issuer.toString(),
    serialNumber: certificate.serialNumberDecimal,
    issuerSerial: sequence(generalNames, integer(certificate.serialNumber)).toString('base64'),
    digest(name) {
      let value = digests.get(name)
      if (value === undefined) {
        value = digest(name, certificate.der).toString('base64')
        digests.set(name, value)
      }
      return value
    },
  }
}
