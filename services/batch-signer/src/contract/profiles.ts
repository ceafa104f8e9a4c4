import Type, { type TSchema } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const tags = ['Profiles']

/** A signing profile in the API: its behaviour, without the location of its key. */
export const ProfileView = Type.Object(
  {
    name: Type.String(),
    enabled: Type.Boolean(),
    inputFolder: nullable(Type.String()),
    format: nullable(Type.Enum(['Pades', 'Cades', 'Xades'])),
    method: Type.Enum(['Local', 'ExternalSigner', 'SignerFolder']),
    certificateSource: nullable(Type.Enum(['Pkcs12', 'Pkcs11'])),
    verify: Type.Boolean(),
    encrypt: Type.Boolean(),
    validateCertificate: Type.Boolean(),
    checkCnab240: Type.Boolean(),
    checkCnab240PaymentDates: Type.Boolean(),
    preserveFileExtension: Type.Boolean(),
    saveAsPem: Type.Boolean(),
    approval: Type.Null({ description: 'No profile of this build asks for approval.' }),
    level: Type.String(),
    state: Type.Enum(['ready', 'degraded']),
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
