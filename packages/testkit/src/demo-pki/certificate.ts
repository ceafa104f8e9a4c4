import { randomBytes, X509Certificate } from 'node:crypto'
import { type Der, explicit, integer, membersOf, sequence, time } from '@chancela/signature-engine/der'
import { type DemoKey, publicKeyInfo, signatureAlgorithm, signed } from './keys.ts'

/** A certificate with its private key, as the demo PKI keeps it. */
export interface IssuedCertificate {
  /** Short name, unique in the PKI: the file name in a saved folder, the path of an authority's CRL. */
  readonly label: string
  /** Label of the issuing authority; a root names itself. */
  readonly issuer: string
  readonly der: Buffer
  readonly x509: X509Certificate
  readonly key: DemoKey
}

export interface Validity {
  readonly from: Date
  readonly to: Date
}

/** What the issuer signs, besides serial number and algorithm. */
export interface CertificateContent {
  readonly subject: Der
  readonly issuer: Der
  readonly validity: Validity
  readonly key: DemoKey
  readonly extensions: readonly Der[]
}

/** TBSCertificate of RFC 5280 §4.1, signed by the issuer. */
export const signCertificate = (content: CertificateContent, issuerKey: DemoKey): Promise<Der> =>
  signed(
    sequence(
      explicit(0, integer(2)),
      integer(randomSerial()),
      signatureAlgorithm(issuerKey),
      content.issuer,
      sequence(time(content.validity.from), time(content.validity.to)),
      content.subject,
      publicKeyInfo(content.key),
      explicit(3, sequence(...content.extensions)),
    ),
    issuerKey,
  )

/** A certificate with its key; throws where the bytes, DER or PEM, are no certificate. */
export function issuedCertificate(label: string, issuer: string, bytes: Buffer, key: DemoKey): IssuedCertificate {
  const x509 = new X509Certificate(bytes)
  return { label, issuer, der: x509.raw, x509, key }
}

/** Sixteen random bytes that make a positive number of full length. */
export function randomSerial(): Buffer {
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  return serial
}

/** The serial number's bytes. */
export const serialOf = (certificate: IssuedCertificate): Buffer => Buffer.from(certificate.x509.serialNumber, 'hex')

/** The encoded subject, byte for byte: what an issuer field, a CertID or an ESS identifier must repeat. */
export const subjectOf = (certificate: IssuedCertificate): Der => tbsMembers(certificate)[5]!

/** The encoded issuer. */
export const issuerOf = (certificate: IssuedCertificate): Der => tbsMembers(certificate)[3]!

const tbsMembers = (certificate: IssuedCertificate): Der[] => membersOf(membersOf(certificate.der)[0]!)
