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
        message: Type.String({ description: 'One sentence in the language of the request.' }),
        since: Time,
        nextTryAt: Type.Union([Time, Type.Null()], { description: 'Null: only a person can end it.' }),
        waiting: Type.Integer({ description: 'Jobs in the queue of the profile.' }),
      }),
    ),
    folders: Type.Array(
      Type.Object({
        folder: Type.String(),
        reason: Type.String({ description: 'The condition: `output-unavailable`.' }),
        code: Type.String(),
        message: Type.String({ description: 'One sentence in the language of the request.' }),
        since: Time,
        nextTryAt: Type.Union([Time, Type.Null()]),
        waiting: Type.Integer({ description: 'Jobs in the queue of the folder.' }),
      }),
      { description: 'Input folders that cannot be used now, or whose output folder cannot.' },
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
  summary: 'The held profiles and folders, the trouble of the storage, and the certificates about to expire.',
  hidden: true,
  answer: Conditions,
} as const

const trial = { method: 'POST', hidden: true, policy: 'Actions', answer: Conditions } as const

export const tryProfile = {
  ...trial,
  path: '/dashboard/api/profiles/{name}/try',
  summary: 'Tries now whether a held profile can sign, without any file.',
  refusals: ['profile.not-found'],
} as const

export const tryFolder = {
  ...trial,
  path: '/dashboard/api/folders/{name}/try',
  summary: 'Tries now whether a held input folder and its output folder can be used, without any file.',
  refusals: ['folder.not-found'],
} as const
