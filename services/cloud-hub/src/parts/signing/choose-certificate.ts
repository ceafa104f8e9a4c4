import { EngineError } from '@chancela/signature-engine'
import { Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { Identifier } from '../../rules/requested-identifier.ts'
import type { HeldCertificate } from '../../upstream/provider.ts'

/** A certificate at the provider, parsed. */
export interface ReadCertificate extends HeldCertificate {
  readonly certificate: Certificate
}

/** Skips unreadable certificates: one broken entry must not lock the holder out of the others. */
export const readHeld = (held: readonly HeldCertificate[]): readonly ReadCertificate[] =>
  held.flatMap((each) => {
    const certificate = readOrNothing(each.der)
    return certificate ? [{ ...each, certificate }] : []
  })

function readOrNothing(der: Uint8Array): Certificate | undefined {
  try {
    return Certificate.read(der)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}

/**
 * Of several, the currently valid one issued last (spec 1 B); the alias breaks ties. A person who also holds a company's
 * certificate has authorized one of the two, and the provider says whose: the other one would not sign.
 */
export function chooseCertificate(
  held: readonly ReadCertificate[],
  now: Date,
  authorized?: Identifier,
): ReadCertificate | undefined {
  const valid = held.filter(({ certificate: { notBefore, notAfter } }) => notBefore <= now && now <= notAfter)
  const named = authorized ? valid.filter((each) => isNamed(each, authorized)) : []
  return (named.length > 0 ? named : valid).toSorted(
    (a, b) => b.certificate.notBefore.getTime() - a.certificate.notBefore.getTime() || (a.alias < b.alias ? -1 : 1),
  )[0]
}

/** Whether it is a certificate of this person, or of this company itself. */
function isNamed({ certificate }: ReadCertificate, { type, value }: Identifier): boolean {
  const { cpf, cnpj } = holderOf(certificate)
  return value === (type === 'CNPJ' ? cnpj : cpf)
}

/**
 * Whether a certificate can belong to the requested person or company. A company's certificate also belongs to the
 * person responsible for it; one without a CPF or CNPJ matches anybody.
 */
export function isOf({ certificate }: ReadCertificate, identifier: string): boolean {
  const { cpf, cnpj, responsible } = holderOf(certificate)
  const named = [cpf, cnpj, responsible?.cpf ?? null].filter((number) => number !== null)
  return named.length === 0 || named.includes(identifier)
}
