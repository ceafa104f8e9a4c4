import { createHash } from 'node:crypto'
import { type Certificate, signerReport } from '@chancela/signature-engine/x509'

/** A certificate as operators see it. */
export interface CertificateSummary {
  readonly holder: string
  readonly cpf: string | null
  readonly cnpj: string | null
  readonly kind: string | null
  readonly issuer: string
  readonly serialNumber: string
  /** SHA-1, as certificate dialogs show it. */
  readonly thumbprint: string
  readonly notBefore: string
  readonly notAfter: string
  /** `rsa-2048`, `ec-256`. */
  readonly keyType: string
}

/** Sums a certificate up. */
export function summaryOf(certificate: Certificate): CertificateSummary {
  const { name, cpf, cnpj, kind, issuer, serialNumber } = signerReport(certificate)
  return {
    holder: name,
    cpf,
    cnpj,
    kind,
    issuer,
    serialNumber,
    thumbprint: thumbprintOf(certificate),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    keyType: `${certificate.keyType ?? 'unknown'}-${certificate.keyBits}`,
  }
}

/** SHA-1 of a certificate, in lower-case hex. */
export const thumbprintOf = ({ der }: Certificate): string => createHash('sha1').update(der).digest('hex')
