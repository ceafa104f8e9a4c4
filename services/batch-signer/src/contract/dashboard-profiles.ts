import Type, { type TSchema } from 'typebox'
import { NO_NUL } from './no-nul.ts'
import { ProfileView, Signers } from './profiles.ts'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const

/** Largest PKCS#12 that is uploaded, in bytes. */
export const MAX_PKCS12_BYTES = 262_144

const Path = Type.String({ minLength: 1, maxLength: 1_024, pattern: NO_NUL })

/** Where the key of a profile is. */
const CertificateSource = Type.Union([
  Type.Object({ kind: Type.Literal('Pkcs12'), path: nullable(Path) }, { additionalProperties: false }),
  Type.Object({
    kind: Type.Literal('Pkcs11'),
    modulePath: Path,
    tokenLabel: nullable(Type.String({ minLength: 1, maxLength: 64, pattern: NO_NUL })),
    thumbprint: nullable(Type.String({ maxLength: 64 })),
  }),
])

/** What of a certificate is shown to operators. */
const CertificateView = Type.Object({
  holder: Type.String(),
  cpf: nullable(Type.String()),
  cnpj: nullable(Type.String()),
  kind: nullable(Type.String()),
  issuer: Type.String(),
  serialNumber: Type.String(),
  thumbprint: Type.String(),
  notBefore: Type.String(),
  notAfter: Type.String(),
  keyType: Type.String(),
})

const Points = Type.Number({ minimum: 0, maximum: 14_400 })

/** What signatures of a PDF show. */
const Visible = Type.Object(
  {
    page: Type.Union([Type.Enum(['first', 'last']), Type.Integer({ minimum: 1, maximum: 100_000 })]),
    corner: Type.Enum(['bottom-left', 'bottom-right', 'top-left', 'top-right']),
    x: Points,
    y: Points,
    width: Points,
    height: Points,
    lines: Type.Array(Type.String({ maxLength: 200, pattern: NO_NUL }), {
      maxItems: 12,
      description: 'Text; {name}, {cpf}, {maskedCpf}, {cnpj}, {date}, {reason} and {location} are filled in.',
    }),
    image: nullable(Type.String({ contentEncoding: 'base64', description: 'A PNG or JPEG of at most 128 KiB.' })),
    border: Type.Boolean(),
  },
  { additionalProperties: false },
)

/** Who must approve a file before it is signed. */
const ApprovalRule = Type.Object(
  {
    minimumApprovers: Type.Integer(),
    expiresAfterSeconds: nullable(Type.Integer()),
    signers: Signers,
    approvers: Type.Array(
      Type.Object(
        {
          name: Type.String({ maxLength: 1_024, pattern: NO_NUL }),
          email: Type.String({ maxLength: 1_024, pattern: NO_NUL }),
          cpf: Type.String({ maxLength: 32, pattern: NO_NUL }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 200 },
    ),
  },
  { additionalProperties: false },
)

/** A profile as the dashboard edits it; of its secrets only whether they exist. */
const ProfileDetail = Type.Object(
  {
    ...ProfileView.properties,
    approval: nullable(ApprovalRule),
    certificate: nullable(CertificateSource),
    hasSecret: Type.Boolean(),
    encryptionCertificates: Type.Array(Type.String()),
    timestampAuthority: nullable(Type.String()),
    visible: nullable(Visible),
    signatureReason: nullable(Type.String()),
    signatureLocation: nullable(Type.String()),
    version: Type.Integer(),
    reason: nullable(Type.String({ description: 'Why the profile is degraded, or a warning.' })),
    key: nullable(CertificateView),
  },
  { $id: 'ProfileDetail' },
)

/** Secrets as a form sends them: absent keeps the saved one, null removes it. */
const secrets = {
  secret: Type.Optional(nullable(Type.String({ maxLength: 1_024, description: 'Password of the PKCS#12, or PIN.' }))),
  pkcs12: Type.Optional(
    nullable(Type.String({ contentEncoding: 'base64', description: 'A PKCS#12 file of at most 256 KiB.' })),
  ),
} as const

const form = {
  enabled: Type.Boolean(),
  inputFolder: nullable(Type.String()),
  format: nullable(Type.Enum(['Pades', 'Cades', 'Xades'])),
  method: Type.Enum(['Local', 'ExternalSigner', 'SignerFolder']),
  level: Type.Enum([...levels]),
  verify: Type.Boolean(),
  validateCertificate: Type.Boolean(),
  preserveFileExtension: Type.Boolean(),
  saveAsPem: Type.Boolean(),
  checkCnab240: Type.Boolean(),
  checkCnab240PaymentDates: Type.Boolean(),
  encrypt: Type.Boolean(),
  encryptionCertificates: Type.Array(Type.String({ maxLength: 65_536 }), { maxItems: 32 }),
  timestampAuthority: nullable(Type.String({ maxLength: 1_024 })),
  certificate: nullable(CertificateSource),
  visible: Type.Optional(nullable(Visible)),
  signatureReason: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: NO_NUL }))),
  signatureLocation: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: NO_NUL }))),
  approval: Type.Optional(nullable(ApprovalRule)),
  ...secrets,
} as const

const route = { hidden: true, policy: 'Actions', bodyLimitBytes: 4 * 1_048_576 } as const

/** Every profile with its state, as the dashboard lists them. */
export const listProfileDetails = {
  method: 'GET',
  path: '/dashboard/api/profiles',
  summary: 'The signing profiles, with what the dashboard edits.',
  hidden: true,
  answer: Type.Object({ profiles: Type.Array(ProfileDetail) }),
} as const

/** Options of a form: free folders, levels, formats, tokens of a PKCS#11 module. */
export const profileOptions = {
  method: 'GET',
  path: '/dashboard/api/profiles/options',
  summary: 'What a form of a profile offers.',
  hidden: true,
  query: Type.Object({ module: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })) }),
  answer: Type.Object({
    folders: Type.Array(Type.Object({ name: Type.String(), profile: nullable(Type.String()) })),
    levels: Type.Array(Type.String()),
    formats: Type.Array(Type.String()),
    methods: Type.Array(Type.String()),
    hasTimestampAuthority: Type.Boolean(),
    canApproversSign: Type.Boolean({ description: 'The portal, or an identity provider, lets them in.' }),
    tokens: Type.Array(Type.Object({ label: Type.String(), serialNumber: Type.String(), model: Type.String() })),
    tokensProblem: nullable(Type.String()),
  }),
} as const

export const readProfileDetail = {
  method: 'GET',
  path: '/dashboard/api/profiles/{name}',
  summary: 'One signing profile, with what the dashboard edits.',
  hidden: true,
  answer: ProfileDetail,
  refusals: ['profile.not-found'],
} as const

export const createProfile = {
  ...route,
  method: 'POST',
  path: '/dashboard/api/profiles',
  summary: 'Creates a signing profile.',
  body: Type.Object({ name: Type.String({ maxLength: 64 }), ...form }),
  status: 201,
  answer: ProfileDetail,
  refusals: ['profile.invalid', 'profile.already-exists', 'profile.changed-meanwhile'],
} as const

export const editProfile = {
  ...route,
  method: 'PUT',
  path: '/dashboard/api/profiles/{name}',
  summary: 'Saves a signing profile; the version says which one the form was opened with.',
  body: Type.Object({ version: Type.Integer(), ...form }),
  answer: ProfileDetail,
  refusals: ['profile.not-found', 'profile.invalid', 'profile.changed-meanwhile'],
} as const

/** Result of testing a key. */
const Trial = Type.Object({
  signs: Type.Boolean({ description: 'The key opened, signed a probe, and the probe verified.' }),
  problem: nullable(Type.String()),
  code: nullable(Type.String({ description: 'The code of the problem: `pkcs11.token-absent`.' })),
  certificate: nullable(
    Type.Object({ ...CertificateView.properties, trusted: Type.Boolean(), reasons: Type.Array(Type.String()) }),
  ),
})

/** Tests the saved key, or the one in the body before it is saved. */
export const testSavedCertificate = {
  ...route,
  method: 'POST',
  path: '/dashboard/api/profiles/{name}/test-certificate',
  summary: 'Opens the key of a profile, signs a probe and judges the certificate.',
  body: Type.Optional(Type.Object({ certificate: Type.Optional(nullable(CertificateSource)), ...secrets })),
  answer: Trial,
  refusals: ['profile.not-found', 'profile.invalid'],
} as const

/** Tests a key before its profile exists. */
export const testUnsavedCertificate = {
  ...route,
  method: 'POST',
  path: '/dashboard/api/profiles/test-certificate',
  summary: 'Opens a key that is not saved, signs a probe and judges the certificate.',
  body: Type.Object({ certificate: CertificateSource, ...secrets }),
  answer: Trial,
  refusals: ['profile.invalid'],
} as const
