// The words of a visible signature (pki-core facts 4.4).
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import { certificateModel } from './certificate-model.ts'
import type { Culture } from './cultures.ts'

const formattedCpf = (cpf: string): string => cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
const maskedCpf = (cpf: string): string => cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**')
const formattedCnpj = (cnpj: string): string => cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
const maskedRg = (rg: string): string => rg.slice(0, -3).replaceAll(/./g, '*') + rg.slice(-3)

/** A CPF or CNPJ as the public sees it. */
export const maskedIdentifier = (identifier: string | null): string | null =>
  identifier && (identifier.length === 11 ? maskedCpf(identifier) : formattedCnpj(identifier))

/** What each tag stands for; nothing where the certificate does not say. */
function valuesOf(certificate: Certificate): Readonly<Record<string, string | null | undefined>> {
  const holder = holderOf(certificate)
  const { pkiBrazil } = certificateModel(certificate)
  const { cpf, cnpj, rgNumero } = pkiBrazil ?? {}
  const issuer = certificate.issuer.commonName ?? certificate.issuer.organization
  const nationalId = cpf ? formattedCpf(cpf) : cnpj && formattedCnpj(cnpj)
  return {
    name: holder.name,
    signername: holder.name,
    national_id: nationalId,
    signernationalid: nationalId,
    email: holder.email,
    signeremail: holder.email,
    subject_cn: certificate.subject.commonName,
    issuer_cn: issuer,
    issuercommonname: issuer,
    br_cpf: cpf,
    br_cpf_formatted: cpf && formattedCpf(cpf),
    br_cpf_masked: cpf && maskedCpf(cpf),
    br_cnpj: cnpj,
    br_cnpj_formatted: cnpj && formattedCnpj(cnpj),
    br_responsavel: pkiBrazil?.responsavel,
    br_company: pkiBrazil?.companyName,
    br_oab_numero: pkiBrazil?.oabNumero,
    br_oab_uf: pkiBrazil?.oabUF,
    br_rg_numero: rgNumero,
    br_rg_numero_masked: rgNumero && maskedRg(rgNumero),
    br_rg_emissor: pkiBrazil?.rgEmissor,
    br_rg_uf: pkiBrazil?.rgEmissorUF,
  }
}

const TAG = /\{\{\s*(\w+)\s*\}\}/g

/** A text with its tags filled in; what is no tag stays as it is. */
export function filledText(text: string, certificate: Certificate): string {
  const values = valuesOf(certificate)
  return text.replaceAll(TAG, (whole, tag: string) =>
    Object.hasOwn(values, tag.toLowerCase()) ? (values[tag.toLowerCase()] ?? '') : whole,
  )
}

const dateWords: Readonly<Record<Culture, string>> = { 'en-US': 'Date', 'pt-BR': 'Data', 'es-ES': 'Fecha' }

/** Brasília time, which is what signatures of ICP-Brasil show. */
const ZONE = 'America/Sao_Paulo'

export function signingTimeLine(now: Date, culture: Culture): string {
  const options = { dateStyle: 'short', timeStyle: 'long', timeZone: ZONE } as const
  return `${dateWords[culture]}: ${new Intl.DateTimeFormat(culture, options).format(now)}`
}
