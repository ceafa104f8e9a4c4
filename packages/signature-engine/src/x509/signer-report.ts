import { requireArguments } from '../errors/arguments.ts'
import type { SignerReport } from '../report/report.ts'
import type { Certificate } from './certificate.ts'
import { holderOf } from './holder.ts'

/** The signer for a report; with a company's certificate, the CPF is that of the responsible person. */
export function signerReport(certificate: Certificate): SignerReport {
  requireArguments('signerReport', { certificate: [certificate, 'certificate'] })
  const holder = holderOf(certificate)
  return {
    name: holder.name,
    cpf: holder.cpf ?? holder.responsible?.cpf ?? null,
    cnpj: holder.cnpj,
    email: holder.email,
    kind: holder.kind,
    organization: holder.organization,
    issuer: certificate.issuer.commonName ?? certificate.issuer.toString(),
    serialNumber: certificate.serialNumberHex,
    certificate,
  }
}
