import type { Certificate } from './certificate.ts'

/** Certificate types by the arc of their policy; the next number is the issuing authority's. */
const typeArcs = {
  A1: '2.16.76.1.2.1',
  A2: '2.16.76.1.2.2',
  A3: '2.16.76.1.2.3',
  A4: '2.16.76.1.2.4',
  S1: '2.16.76.1.2.101',
  S2: '2.16.76.1.2.102',
  S3: '2.16.76.1.2.103',
  S4: '2.16.76.1.2.104',
  'SE-S': '2.16.76.1.2.201',
  'SE-H': '2.16.76.1.2.202',
  'AE-S': '2.16.76.1.2.203',
  'AE-H': '2.16.76.1.2.204',
  T3: '2.16.76.1.2.303',
  T4: '2.16.76.1.2.304',
} as const

export type CertificateType = keyof typeof typeArcs

/** The type its policies give the certificate; null when they name none of ICP-Brasil's. */
export function certificateTypeOf(certificate: Certificate): CertificateType | null {
  const types = Object.keys(typeArcs) as CertificateType[]
  const { policies } = certificate.extensions
  return types.find((type) => policies.some((policy) => isAtOrUnder(policy, typeArcs[type]))) ?? null
}

/** Whole components: 2.16.76.1.2.10 is not under 2.16.76.1.2.1. */
export const isAtOrUnder = (oid: string, arc: string): boolean => oid === arc || oid.startsWith(`${arc}.`)
