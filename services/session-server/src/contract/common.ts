import Type from 'typebox'

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })

/** Check digits are verified as well, and values of one repeated digit are refused (differences, 5). */
export const Cpf = Type.String({ pattern: '^[0-9]{11}$', description: 'Eleven digits, no punctuation.' })

/** Of any length: one that is longer than ours names nothing active, and is no malformed request. */
export const SessionId = Type.String({
  description: 'Whoever holds it, with an accepted key, can use the session.',
})

/** Trust status of a certificate; only ACTIVE can sign. */
export const certificateStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED', 'UNTRUSTED', 'STALE'] as const

export type CertificateStatus = (typeof certificateStatuses)[number]

/** Where a certificate is held. */
export const custodies = ['vault', 'workstation', 'token'] as const

export type CustodyKind = (typeof custodies)[number]

export const CertificateStatus = Type.Enum([...certificateStatuses])
