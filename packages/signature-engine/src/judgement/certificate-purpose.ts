import type { Certificate } from '../x509/certificate.ts'
import { keyPurposes } from '../x509/oids.ts'

/** The purpose a certificate is validated for. */
export type CertificatePurpose = 'signing' | 'timestamping' | 'ocsp-signing' | 'any'

/** Each purpose with the test a certificate must pass for it. */
export const purposes: Readonly<Record<CertificatePurpose, (certificate: Certificate) => boolean>> = {
  // Real e-CPFs have digitalSignature, nonRepudiation or both: requiring one of them would refuse good certificates.
  signing: (certificate) => maySign(certificate) && !isServiceOnly(certificate),
  // RFC 3161 §2.3: exactly one purpose, and critical.
  timestamping: (certificate) =>
    maySign(certificate) &&
    certificate.extensions.extendedKeyUsageCritical &&
    certificate.extensions.extendedKeyUsage?.length === 1 &&
    certificate.extensions.extendedKeyUsage[0] === keyPurposes.timeStamping,
  'ocsp-signing': (certificate) =>
    maySign(certificate) && (certificate.extensions.extendedKeyUsage?.includes(keyPurposes.ocspSigning) ?? false),
  any: () => true,
}

/** RFC 5280 §4.2.1.3: a certificate without key usage does not restrict its key. */
const maySign = ({ extensions: { keyUsage } }: Certificate): boolean =>
  !keyUsage || keyUsage.has('digitalSignature') || keyUsage.has('nonRepudiation')

const ofServices: readonly string[] = [keyPurposes.timeStamping, keyPurposes.ocspSigning]

/** A key reserved for stamping time or for OCSP must not sign documents. */
const isServiceOnly = ({ extensions: { extendedKeyUsage = [] } }: Certificate): boolean =>
  extendedKeyUsage.length > 0 && extendedKeyUsage.every((purpose) => ofServices.includes(purpose))
