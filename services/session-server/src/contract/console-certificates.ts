// Certificates by CPF, in the vault, at workstations and on the server's own tokens.
import { Id, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { CertificateStatus, Cpf, custodies } from './common.ts'
import { verdictFindings } from './verdict-findings.ts'

const tags = ['Certificates']

const HeldCertificate = Type.Object(
  {
    id: Id,
    cpf: Type.String({ description: 'For which it is held.' }),
    custody: Type.Enum([...custodies]),
    workstation: orNull(Type.Object({ id: Id, name: Text })),
    token: orNull(Type.String({ description: 'The name of the server’s own token in the settings.' })),
    pin: orNull(
      Type.Enum(['token', 'set', 'missing'], {
        description: 'On a token: whether its PIN is the token’s own, or one of the holder that was set or is missing.',
      }),
    ),
    subjectName: Text,
    subjectCpf: orNull(Text),
    issuer: Text,
    serialNumber: Text,
    fingerprint: Text,
    email: orNull(Text),
    notBefore: Text,
    notAfter: Text,
    status: CertificateStatus,
    reason: orNull(Type.String({ description: 'Why it is not ACTIVE; English.' })),
    finding: orNull(
      Type.Object(
        {
          code: Type.Enum([...verdictFindings]),
          whose: Type.Enum(['holder', 'issuer'], { description: 'Of which certificate.' }),
          issuer: orNull(Type.String({ description: 'The name of that issuer, where it has one.' })),
        },
        { description: 'The same as a code with its facts; null where an earlier version judged it.' },
      ),
    ),
    checkedAt: orNull(Text),
    createdAt: Text,
  },
  { $id: 'HeldCertificate' },
)

const VaultFile = Type.Object({
  file: Type.String({ maxLength: 1_400_000, contentEncoding: 'base64', description: 'PKCS#12, in base64.' }),
  pin: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Opens the file now, to see that it does; kept nowhere.',
  }),
  cpf: Type.Optional(orNull(Cpf)),
})

const fileRefusals = [
  'CERTIFICATE_FILE_INVALID',
  'CERTIFICATE_PIN_WRONG',
  'CERTIFICATE_CPF_MISSING',
  'CERTIFICATE_ALREADY_HELD',
] as const

export const listCertificates = {
  method: 'GET',
  path: '/api/certificates',
  summary: 'Certificates that are held, soonest expiry first.',
  tags,
  query: Type.Object({
    ...paging,
    cpf: Type.Optional(Type.String({ maxLength: 14, description: 'With or without punctuation.' })),
    status: Type.Optional(CertificateStatus),
    custody: Type.Optional(Type.Enum([...custodies])),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the subject’s name.' })),
  }),
  answer: pageOf(HeldCertificate),
  access: 'certificates.read',
} as const

export const importCertificate = {
  method: 'POST',
  path: '/api/certificates',
  summary: 'Takes a PKCS#12 into the vault.',
  tags,
  body: VaultFile,
  bodyLimitBytes: 1_500_000,
  answer: HeldCertificate,
  access: 'certificates.manage',
  refusals: fileRefusals,
} as const

export const replaceCertificate = {
  method: 'PUT',
  path: '/api/certificates/{id}/file',
  summary: 'Puts another PKCS#12 in the place of one in the vault; sessions on the former end.',
  tags,
  body: VaultFile,
  bodyLimitBytes: 1_500_000,
  answer: HeldCertificate,
  access: 'certificates.manage',
  refusals: ['CERTIFICATE_NOT_FOUND', 'CERTIFICATE_AT_WORKSTATION', 'CERTIFICATE_ON_TOKEN', ...fileRefusals],
} as const

export const removeCertificate = {
  method: 'DELETE',
  path: '/api/certificates/{id}',
  summary: 'Removes a certificate from the vault; sessions on it end.',
  tags,
  access: 'certificates.manage',
  refusals: ['CERTIFICATE_NOT_FOUND', 'CERTIFICATE_AT_WORKSTATION', 'CERTIFICATE_ON_TOKEN'],
} as const

export const setCertificatePin = {
  method: 'PUT',
  path: '/api/certificates/{id}/pin',
  summary:
    'Sets the PIN of a holder whose certificate is on an HSM partition of the server; sessions of the former PIN end. On a token with its holder’s own PIN, proves that PIN to the token.',
  tags,
  body: Type.Object({
    pin: Type.String({
      minLength: 4,
      maxLength: 256,
      description: 'Kept as a sealed hash, or given to the token once.',
    }),
  }),
  answer: HeldCertificate,
  access: 'certificates.manage',
  refusals: ['CERTIFICATE_NOT_FOUND', 'CERTIFICATE_NOT_ON_TOKEN', 'TOKEN_PIN_REFUSED', 'TOKEN_UNAVAILABLE'],
} as const

export const recheckCertificate = {
  method: 'POST',
  path: '/api/certificates/{id}/recheck',
  summary: 'Judges a certificate now.',
  tags,
  answer: HeldCertificate,
  access: 'certificates.recheck',
  refusals: ['CERTIFICATE_NOT_FOUND'],
} as const
