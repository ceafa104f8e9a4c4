import { fingerprint } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import { Certificate } from '../x509/certificate.ts'
import type { ValidationReport } from './report.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * The report as plain JSON with the names of `ValidationReport`: times in ISO 8601, certificates by what identifies
 * them, evidence by its size and SHA-256.
 */
export function reportToJson(report: ValidationReport): { readonly [name: string]: Json } {
  requireArguments('reportToJson', { report: [report, 'report'] })
  return plain(report) as { readonly [name: string]: Json }
}

/** A certificate by what identifies it. */
export function certificateToJson(certificate: Certificate): { readonly [name: string]: Json } {
  requireArguments('certificateToJson', { certificate: [certificate, 'certificate'] })
  return {
    subject: certificate.subject.toString(),
    issuer: certificate.issuer.toString(),
    serialNumber: certificate.serialNumber.toString('hex'),
    fingerprint: certificate.fingerprint,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
  }
}

function plain(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Certificate) return certificateToJson(value)
  if (value instanceof Uint8Array) return { bytes: value.length, sha256: fingerprint(value) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => (name === 'values' ? [] : [[name, plain(member)]])),
    )
  return value as string | number | boolean
}
