import { contentTypes } from '../cms/oids.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { fromBer } from '../der/from-ber.ts'
import { derFromAnything, pemBlocks } from '../der/pem.ts'
import { tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { startsLikeJws } from '../jades/jws.ts'
import { openPkcs12 } from '../keys/pkcs12/open-pkcs12.ts'
import { tokenInResponse } from '../timestamps/timestamp-protocol.ts'
import { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import { isZip } from '../zip/zip-reader.ts'
import { refuseInspection } from './errors.ts'
import { inspectAsic } from './inspect-asic.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { inspectSignedData } from './inspect-cms.ts'
import { inspectEnvelope, isEnvelope } from './inspect-envelope.ts'
import { inspectJws } from './inspect-jws.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { inspectCrl, inspectOcsp } from './inspect-revocation.ts'
import { inspectPolicyList, inspectXml } from './inspect-xml.ts'
import { type Inspected, inspected } from './inspected.ts'

export interface InspectOptions {
  /** Called only for what needs a password (PKCS#12). Default: such a file is named and not opened. */
  readonly password?: () => Promise<string>
  /** Of encrypted PDFs. Default: one that needs it is named and not opened. */
  readonly pdfPassword?: string
}

/** The content of any bytes. Nothing is validated: `validate…` does that. */
export async function inspect(bytes: Uint8Array, options: InspectOptions = {}): Promise<Inspected> {
  requireArguments('inspect', { bytes: [bytes, 'bytes'] }, options)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024))
  if (start.includes('%PDF-')) return inspectPdf(bytes, options.pdfPassword)
  if (MARKUP.test(start.toString('latin1'))) return inspectXml(bytes)
  if (startsLikeJws(start.toString('latin1'))) return inspectJws(bytes)
  if (isZip(start)) return inspectAsic(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (pemBlocks(text, 'CERTIFICATE').length > 0) return inspectBundle(readCertificates(bytes))
  return inspectAsn1(asn1In(bytes), options)
}

const MARKUP = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</

function asn1In(bytes: Uint8Array): Uint8Array {
  try {
    return fromBer(derFromAnything(bytes, 'PKCS7', 'CMS', 'X509 CRL'))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refuseInspection('inspection.unknown', undefined, error)
  }
}

/** The structures of X.509, CMS and related formats are distinguished by their first members. */
async function inspectAsn1(der: Uint8Array, options: InspectOptions): Promise<Inspected> {
  const [first, second, third] = membersOf(der)
  if (first?.tag === tags.oid && first.oid() === contentTypes.signedData) return inspectSignedData(der)
  if (first?.tag === tags.oid && isEnvelope(first.oid())) return inspectEnvelope(der)
  if (first?.tag === tags.enumerated) return inspectOcsp(der)
  if (first?.tag === tags.integer && second?.tag === tags.sequence && isContentInfo(second))
    return inspectPkcs12(der, options)
  if (second?.tag === tags.sequence && third?.tag === tags.bitString) return inspectSigned(der)
  if (second?.tag === tags.sequence && isContentInfo(second)) return inspectSignedData(tokenInResponse(der))
  if (second?.tag === tags.generalizedTime || third?.tag === tags.generalizedTime) return inspectPolicyList(der)
  throw refuseInspection('inspection.unknown')
}

function membersOf(der: Uint8Array): DerValue[] {
  try {
    return readDer(der).sequence().rest()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refuseInspection('inspection.unknown', undefined, error)
  }
}

const isContentInfo = (value: DerValue): boolean => value.sequence().nextTag === tags.oid

/** Certificates and revocation lists have the same outline; only one reader accepts each. */
function inspectSigned(der: Uint8Array): Inspected {
  try {
    return inspectCertificate(Certificate.read(der))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return inspectCrl(der)
  }
}

function inspectBundle(certificates: readonly Certificate[]): Inspected {
  const [only, ...more] = certificates.map(inspectCertificate)
  if (only && more.length === 0) return only
  return inspected('certificates', 'Certificates', { count: certificates.length }, certificates.map(inspectCertificate))
}

async function inspectPkcs12(file: Uint8Array, { password }: InspectOptions): Promise<Inspected> {
  if (!password) return inspected('pkcs12', 'PKCS#12 (key and certificates, closed without its password)', {})
  const { certificate, chain, privateKey, friendlyName } = await openPkcs12(file, await password())
  const facts = { friendlyName, key: privateKey.asymmetricKeyType, issuersInside: chain.length }
  return inspected('pkcs12', 'PKCS#12 (key and certificates)', facts, [certificate, ...chain].map(inspectCertificate))
}
