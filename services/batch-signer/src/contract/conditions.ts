import Type from 'typebox'

const Time = Type.String({ description: 'ISO 8601 UTC.' })

/** What keeps files waiting now, and what will. */
const Conditions = Type.Object(
  {
    storage: Type.Union([Type.Object({ since: Time, reason: Type.String() }), Type.Null()], {
      description: 'Why the pipeline has paused itself.',
    }),
    held: Type.Array(
      Type.Object({
        profile: Type.String(),
        reason: Type.String({ description: 'The condition: `token-unavailable`.' }),
        code: Type.String(),
        message: Type.String({ description: 'One English sentence.' }),
        since: Time,
        nextTryAt: Type.Union([Time, Type.Null()], { description: 'Null: only a person can end it.' }),
        waiting: Type.Integer({ description: 'Jobs in the queue of the profile.' }),
      }),
    ),
    expiring: Type.Array(Type.Object({ profile: Type.String(), holder: Type.String(), notAfter: Time }), {
      description: 'Certificates within the first notice of Notices:CertificateExpiryDays, or past their end.',
    }),
  },
  { $id: 'Conditions' },
)

export const readConditions = {
  method: 'GET',
  path: '/dashboard/api/conditions',
  summary: 'The held profiles, the trouble of the storage, and the certificates about to expire.',
  hidden: true,
  answer: Conditions,
} as const

export const tryProfile = {
  method: 'POST',
  path: '/dashboard/api/profiles/{name}/try',
  summary: 'Tries now whether a held profile can sign, without any file.',
  hidden: true,
  policy: 'Actions',
  answer: Conditions,
  refusals: ['profile.not-found'],
} as const
