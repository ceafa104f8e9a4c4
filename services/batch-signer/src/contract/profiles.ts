import Type, { type TSchema } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const tags = ['Profiles']

/** Who signs what was approved. */
export const Signers = Type.Enum(['ProfileKey', 'Approvers', 'ProfileKeyAndApprovers'], {
  description: 'Who signs an approved file: the key of the profile, the approvers in its place, or both.',
})

/** What files of a profile wait for; who may approve is for operators only. */
const Approval = Type.Object({
  required: Type.Integer({ description: 'How many must approve.' }),
  poolSize: Type.Integer({ description: 'How many may.' }),
  expiresAfterSeconds: nullable(Type.Integer({ description: 'How long a file may wait; null: without end.' })),
  signers: Signers,
})

/** A signing profile in the API: its behaviour, without the location of its key. */
export const ProfileView = Type.Object(
  {
    name: Type.String(),
    enabled: Type.Boolean(),
    inputFolder: nullable(Type.String()),
    format: nullable(Type.Enum(['Pades', 'Cades', 'Xades'])),
    method: Type.Enum(['Local', 'ExternalSigner', 'SignerFolder']),
    certificateSource: Type.Union([Type.Enum(['Pkcs12', 'Pkcs11']), Type.Null()], {
      description: 'The key in force; null: none yet, or the approvers sign in its place.',
    }),
    verify: Type.Boolean(),
    encrypt: Type.Boolean(),
    validateCertificate: Type.Boolean(),
    checkCnab240: Type.Boolean(),
    checkCnab240PaymentDates: Type.Boolean(),
    preserveFileExtension: Type.Boolean(),
    saveAsPem: Type.Boolean(),
    approval: nullable(Approval),
    level: Type.String(),
    state: Type.Enum(['ready', 'keyless', 'degraded']),
  },
  { $id: 'Profile' },
)

/** All profiles, including disabled ones (spec 2, Endpoints). */
export const listProfiles = {
  method: 'GET',
  path: '/api/profiles',
  summary: 'The signing profiles.',
  tags,
  answer: Type.Object({ profiles: Type.Array(ProfileView) }, { $id: 'Profiles' }),
} as const

/** One profile; its name is case-insensitive. */
export const readProfile = {
  method: 'GET',
  path: '/api/profiles/{name}',
  summary: 'One signing profile.',
  tags,
  answer: ProfileView,
  refusals: ['profile.not-found'],
} as const
