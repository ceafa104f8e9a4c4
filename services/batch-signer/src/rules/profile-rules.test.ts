import { describe, expect, test } from 'vitest'
import { defaultBehaviour } from './profile.ts'
import { type ProfileContext, type ProfileDraft, profileProblems } from './profile-rules.ts'
import type { VisibleSignature } from './visible-signature.ts'

const draft: ProfileDraft = {
  ...defaultBehaviour,
  name: 'payroll',
  enabled: true,
  inputFolder: null,
  format: 'Cades',
  method: 'Local',
  certificate: null,
  hasSecret: false,
}

const around: ProfileContext = {
  folders: ['default', 'bank'],
  others: [{ ...draft, name: 'default', inputFolder: 'default', format: null, version: 1 }],
  hasTimestampAuthority: false,
  hasPkcs12: false,
  recipientProblem: (pem) => (pem === 'good' ? undefined : 'That is no certificate.'),
  isWritable: (path) => path.startsWith('/data/'),
  isReachable: false,
}

const approval = {
  minimumApprovers: 1,
  expiresAfterSeconds: null,
  signers: 'ProfileKey',
  approvers: [{ name: 'Ana Souza', email: 'ana@banco.example', cpf: '52998224725' }],
} as const

const fieldsOf = (more: Partial<ProfileDraft>, with_: Partial<ProfileContext> = {}) =>
  profileProblems({ ...draft, ...more }, { ...around, ...with_ }).map(({ field }) => field)

const token = { kind: 'Pkcs11', modulePath: '/usr/lib/token.so', tokenLabel: null, thumbprint: null } as const

const visible: VisibleSignature = {
  page: 'last',
  corner: 'bottom-right',
  x: 36,
  y: 36,
  width: 200,
  height: 60,
  lines: ['{name}', '{date}'],
  image: null,
  border: true,
}

describe('a profile is refused', () => {
  test.each([
    ['a name that is no slug', { name: 'Payroll!' }, 'name'],
    ['a name of 41 letters', { name: 'a'.repeat(41) }, 'name'],
    ['the name of the form for new profiles', { name: 'new' }, 'name'],
    ['the default profile switched off', { name: 'default', format: null, enabled: false }, 'enabled'],
    ['a folder this host does not have', { inputFolder: 'elsewhere' }, 'inputFolder'],
    ["another profile's folder", { inputFolder: 'default' }, 'inputFolder'],
    ['no format on any profile but the default one', { format: null }, 'format'],
    ['a method of a later build', { method: 'ExternalSigner' }, 'method'],
    ['a folder of the external service', { method: 'SignerFolder' }, 'method'],
    ['a level nobody knows', { level: 'B-X' as never }, 'level'],
    ['B-T without a timestamp authority', { level: 'B-T' }, 'level'],
    ['AD-RA without a timestamp authority', { level: 'AD-RA' }, 'level'],
    ['AD-RV for PDF', { level: 'AD-RV', format: 'Pades', timestampAuthority: 'http://tsa.example/' }, 'level'],
    ['a timestamp authority that is no address', { timestampAuthority: 'file:///etc/passwd' }, 'timestampAuthority'],
    ['PreserveFileExtension with Pades', { format: 'Pades', preserveFileExtension: true }, 'preserveFileExtension'],
    ['SaveAsPem with Xades', { format: 'Xades', saveAsPem: true }, 'saveAsPem'],
    ['encryption to nobody', { encrypt: true }, 'encrypt'],
    ['encryption to a text that is no certificate', { encryptionCertificates: ['bad'] }, 'encryptionCertificates'],
    ['a PKCS#12 that is neither named nor uploaded', { certificate: { kind: 'Pkcs12', path: null } }, 'certificate'],
    ['a thumbprint that is none', { certificate: { ...token, thumbprint: 'ab:cd' } }, 'certificate'],
    ['a visible signature of CMS', { visible }, 'visible'],
    ['a line with a field nobody knows', { format: 'Pades', visible: { ...visible, lines: ['{colour}'] } }, 'visible'],
    ['a reason beside a policy', { format: 'Pades', signatureReason: 'because' }, 'signatureReason'],
    ['a place of an XML signature', { format: 'Xades', signatureLocation: 'Recife' }, 'signatureLocation'],
    ['a module among the uploads', { certificate: { ...token, modulePath: '/data/in/evil.so' } }, 'certificate'],
  ] as const)('with %s', (_what, more, field) => {
    expect(fieldsOf(more as Partial<ProfileDraft>)).toEqual([field])
  })

  test("another profile's folder with the name of its owner", () => {
    const [problem] = profileProblems({ ...draft, inputFolder: 'default' }, around)
    expect(problem?.sentence).toContain('profile default')
  })

  test('with every part of its approval rule that is wrong', () => {
    const wrong = { ...approval, minimumApprovers: 2, expiresAfterSeconds: 0, signers: 'Approvers' } as const
    expect(fieldsOf({ format: 'Pades', certificate: token, approval: wrong })).toEqual([
      'approval.minimumApprovers',
      'approval.expiresAfter',
      'approval.signers',
      'approval.signers',
    ])
    expect(fieldsOf({ approval })).toEqual(['approval.signers'])
  })

  test('with everything that is wrong at once', () => {
    expect(fieldsOf({ name: '-', format: null, encrypt: true })).toEqual(['name', 'format', 'encrypt'])
  })
})

describe('a profile is taken', () => {
  test.each([
    ['as it is by default', {}],
    ['by extension on the default profile', { name: 'default', format: null, saveAsPem: true }],
    ['with a level that has its timestamp authority', { level: 'B-LTA', timestampAuthority: 'https://tsa.example/' }],
    ['with a free folder', { inputFolder: 'bank' }],
    ['switched off', { enabled: false }],
    ['switched off while a folder feeds it', { enabled: false, inputFolder: 'bank' }],
    ['with encryption to a certificate', { encrypt: true, encryptionCertificates: ['good'] }],
    ['with a visible signature', { format: 'Pades', visible, signatureReason: 'because', level: 'B-B' }],
    ['with a token', { certificate: { ...token, thumbprint: 'ab'.repeat(20) } }],
    ['with an approval rule for files of any kind', { format: 'Xades', certificate: token, approval }],
  ] as const)('%s', (_what, more) => {
    expect(fieldsOf(more as Partial<ProfileDraft>, { others: [] })).toEqual([])
  })

  test('without a key where approvers sign in its place and can come in', () => {
    expect(fieldsOf({ approval: { ...approval, signers: 'Approvers' } }, { isReachable: true })).toEqual([])
  })

  test("with the host's timestamp authority", () => {
    expect(fieldsOf({ level: 'AD-RT' }, { hasTimestampAuthority: true })).toEqual([])
  })
})
