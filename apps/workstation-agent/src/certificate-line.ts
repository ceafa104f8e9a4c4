import { type Certificate, formattedCpf, holderOf } from '@chancela/signature-engine/x509'

/** A certificate, as a holder tells it from others at the command line. */
export function certificateLine(certificate: Certificate): string {
  const { name, cpf, responsible } = holderOf(certificate)
  const number = cpf ?? responsible?.cpf
  const until = certificate.notAfter.toISOString().slice(0, 10)
  return `${name}${number ? `, CPF ${formattedCpf(number)}` : ''}, until ${until}`
}
