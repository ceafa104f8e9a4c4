import type { Certificate } from '../x509/certificate.ts'
import { holderOf } from '../x509/holder.ts'
import { type Inspected, inspected } from './inspected.ts'

/** Who a certificate names, who issued it, and what it is for. */
export function inspectCertificate(certificate: Certificate): Inspected {
  const { extensions } = certificate
  const holder = holderOf(certificate)
  return inspected('certificate', `Certificate of ${holder.name}`, {
    kind: holder.kind,
    type: holder.certificateType,
    cpf: holder.cpf,
    cnpj: holder.cnpj,
    email: holder.email,
    responsible: holder.responsible?.name,
    subject: certificate.subject.toString(),
    issuer: certificate.issuer.toString(),
    serialNumber: certificate.serialNumberHex,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    key: keyOf(certificate),
    signedWith: certificate.signatureAlgorithm?.name,
    fingerprint: certificate.fingerprint,
    authority: extensions.isAuthority || undefined,
    keyUsage: [...(extensions.keyUsage ?? [])],
    extendedKeyUsage: extensions.extendedKeyUsage,
    policies: extensions.policies,
    crl: extensions.crlUrls,
    ocsp: extensions.ocspUrls,
    issuerAt: extensions.issuerUrls,
    unknownCritical: extensions.unknownCritical,
  })
}

// Not every key can be imported (future kinds); the rest of such a certificate is still worth showing.
function keyOf(certificate: Certificate): string | undefined {
  if (!certificate.hasKnownKey) return undefined
  const { keyType, keyBits, namedCurve } = certificate
  return keyBits === undefined ? `${keyType} ${namedCurve ?? ''}`.trim() : `${keyType} ${keyBits} bits`
}
