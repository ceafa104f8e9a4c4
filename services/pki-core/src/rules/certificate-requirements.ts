import { invalidField } from '@chancela/service-kernel/errors'
import type { CertificateView } from '../contract/models.ts'

/** What a session asks of the certificate that signs (pki-core facts 4.1); all of them must hold. */
export type CertificateRequirement =
  | { readonly type: 'CryptoDevice' }
  | { readonly type: 'Cpf'; readonly argument: string }

export interface AskedRequirement {
  readonly type: CertificateRequirement['type']
  readonly argument?: string | null
}

const CPF = /^\d{11}$/

/** Requirements of a request; a CPF may have punctuation, and keeps its zeros. */
export const readRequirements = (asked: readonly AskedRequirement[]): readonly CertificateRequirement[] =>
  asked.map(({ type, argument }, index) => {
    const field = `certificateRequirements.${index}.argument`
    if (type === 'CryptoDevice') {
      if (argument) throw invalidField(field, 'is not for CryptoDevice')
      return { type }
    }
    const cpf = (argument ?? '').replaceAll(/[.\-/\s]/g, '')
    if (!CPF.test(cpf)) throw invalidField(field, 'must be a CPF of 11 digits')
    return { type, argument: cpf }
  })

const inDevices: ReadonlySet<string> = new Set(['A3', 'A4'])

/** The first requirement that a certificate does not meet. */
export const unmetRequirement = (
  requirements: readonly CertificateRequirement[],
  { pkiBrazil }: Pick<CertificateView, 'pkiBrazil'>,
): CertificateRequirement | undefined =>
  requirements.find((one) =>
    one.type === 'Cpf' ? pkiBrazil?.cpf !== one.argument : !inDevices.has(pkiBrazil?.certificateType ?? ''),
  )

/** As pages show it: who has the link need not learn the whole number. */
export const maskedRequirement = (one: CertificateRequirement) => ({
  type: one.type,
  argument: one.type === 'Cpf' ? one.argument.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**') : null,
})
