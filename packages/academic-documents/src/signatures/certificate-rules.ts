import { type Certificate, type CertificateType, holderOf } from '@chancela/signature-engine/x509'
import type { CertificateKind } from './plans.ts'
import { listedPeople, type ProgressOptions, type StepProgress, signerOf } from './progress.ts'
import type { AcademicDocument } from './read-document.ts'
import { SigningRefusal } from './refusals.ts'

export interface CertificateRequirements {
  readonly now: Date
  /** Whether the key has to live in hardware (type A3 or better); default false, as a site's practice differs. */
  readonly requireHardware?: boolean
}

/** What each kind is called on certificates. */
const KIND_NAMES: Readonly<Record<CertificateKind, string>> = { eCpf: 'e-CPF', eCnpj: 'e-CNPJ' }

const HARDWARE_TYPES: readonly (CertificateType | null)[] = ['A3', 'A4', 'SE-H']

export const isInHardware = (certificate: Certificate): boolean =>
  HARDWARE_TYPES.includes(holderOf(certificate).certificateType)

/** Refuses a certificate that may not sign the step: its kind, whose it is, its validity, its type. */
export function requireCertificate(
  document: AcademicDocument,
  progress: StepProgress,
  certificate: Certificate,
  options: CertificateRequirements & ProgressOptions,
): void {
  const { step } = progress
  const signer = signerOf(certificate)
  if (signer?.kind !== step.certificate)
    throw new SigningRefusal('wrong-certificate-kind', {
      step: step.name,
      expected: KIND_NAMES[step.certificate],
      found: holderOf(certificate).kind ?? 'a certificate of no known kind',
    })
  holderRules[step.certificate](document, progress, signer.number, options)
  requireValidity(certificate, options.now)
  if (options.requireHardware && !isInHardware(certificate))
    throw new SigningRefusal('certificate-type', {
      found: holderOf(certificate).certificateType ?? 'unknown',
      expected: 'A3',
    })
}

const holderRules: Readonly<
  Record<CertificateKind, (document: AcademicDocument, at: StepProgress, of: string, options: ProgressOptions) => void>
> = {
  eCpf(document, { step, signatures }, cpf, options) {
    const listed = listedPeople(document, step, options.people)
    if (listed !== undefined && !listed.includes(cpf)) throw new SigningRefusal('not-a-signatory', { cpf })
    if (signatures.some(({ signer }) => signer === cpf)) throw new SigningRefusal('signed-by-this-person', { cpf })
  },

  eCnpj({ cnpjs }, { step }, cnpj) {
    const expected = cnpjs[step.party]
    if (expected === undefined) throw new SigningRefusal('institution-missing')
    if (expected !== cnpj) throw new SigningRefusal('wrong-cnpj', { found: cnpj, expected })
  },
}

function requireValidity({ notBefore, notAfter }: Certificate, now: Date): void {
  if (now > notAfter) throw new SigningRefusal('certificate-expired', { notAfter: notAfter.toISOString() })
  if (now < notBefore) throw new SigningRefusal('certificate-not-yet-valid', { notBefore: notBefore.toISOString() })
}
