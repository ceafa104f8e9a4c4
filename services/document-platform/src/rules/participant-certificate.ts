import { EngineError } from '@chancela/signature-engine'
import { Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { ParticipantRow } from '../store/tables.ts'
import type { ActionOptions } from './flow-plan.ts'
import { refuse } from './refuse.ts'

/** The certificate of a request: DER in base64. */
export function readCertificate(base64: string): Certificate {
  try {
    return Certificate.read(Buffer.from(base64, 'base64'))
  } catch (error) {
    if (error instanceof EngineError) throw refuse('CertificateNotFound', { reason: error.message }, error)
    throw error
  }
}

/** The CPF of the person in a certificate: its holder, or the person responsible for the company that holds it. */
export const personCpf = (certificate: Certificate): string | null =>
  holderOf(certificate).cpf ?? holderOf(certificate).responsible?.cpf ?? null

/** The CNPJ of the company whose certificate an action asks for. */
export const requiredCompany = (options: ActionOptions): string | undefined =>
  options.requiredCompanyIdentifier?.replaceAll(/[./-]/g, '') || undefined

const requiredHolder = (options: ActionOptions) =>
  options.requireCompanyCertificate ? 'Company' : options.requiredCertificateHolderTypeToSign

/** Whether an action asks for the certificate of a company, of any or of a certain one. */
export const wantsCompany = (options: ActionOptions): boolean =>
  requiredHolder(options) === 'Company' || requiredCompany(options) !== undefined

/** Refuses the certificate of another person, or of a kind the action does not allow. */
export function requireOwnCertificate(
  { participant, options }: { readonly participant: ParticipantRow; readonly options: ActionOptions },
  certificate: Certificate,
): void {
  const { cpf, cnpj, email, certificateType } = holderOf(certificate)
  const kind = cnpj === null ? 'Individual' : 'Company'
  const { requiredCertificateTypeToSign: type } = options
  const holderType = requiredHolder(options)
  const company = requiredCompany(options)
  if (holderType && holderType !== kind) throw refuse('CpfNotExpected', { required: holderType, given: kind })
  if (company && company !== cnpj) throw refuse('CpfNotExpected', { requiredCompanyIdentifier: company })
  if (type && type !== certificateType) throw refuse('CertificateTypeNotAllowed', { required: type })
  const isOwn =
    participant.identifier === null
      ? participant.email !== null && participant.email === email?.toLowerCase()
      : participant.identifier === (cpf ?? personCpf(certificate))
  if (!isOwn) throw refuse('CpfMismatch', { participant: participant.name })
}
