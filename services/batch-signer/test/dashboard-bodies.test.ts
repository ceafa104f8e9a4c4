// Every member of the bodies of the dashboard's forms, with every kind of value that it does not have.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { describe, expect, test } from 'vitest'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const values = { null: null, number: -1.5, flag: true, text: 'not that', nul: 'a\u0000b', list: [7], object: { x: 1 } }

type Kind = keyof typeof values | 'absent'

/** What a form may send in each member; every other kind of value is refused. */
type Members = Readonly<Record<string, readonly Kind[]>>

const optionalText: readonly Kind[] = ['text', 'null', 'absent']

const folderMembers: Members = {
  options: [],
  'options.path': [],
  'options.pollIntervalSeconds': ['null', 'absent'],
  'options.ignoredExtensions': ['null', 'absent'],
  'options.ignoredPrefixes': ['null', 'absent'],
  'options.readyMarker': ['null', 'absent'],
  'options.outputPath': ['null', 'absent'],
  'options.outputMode': ['null', 'absent'],
  'options.outputOwner': ['null', 'absent'],
  'options.outputGroup': ['null', 'absent'],
  profile: ['null', 'absent'],
  create: ['flag', 'absent'],
}

const flags = ['verify', 'validateCertificate', 'preserveFileExtension', 'saveAsPem', 'checkCnab240', 'encrypt']

const profileMembers: Members = {
  ...Object.fromEntries([...flags, 'enabled', 'checkCnab240PaymentDates'].map((name) => [name, ['flag'] as const])),
  inputFolder: ['null'],
  format: [],
  method: [],
  level: [],
  encryptionCertificates: [],
  timestampAuthority: ['null'],
  certificate: ['null'],
  'certificate.kind': [],
  'certificate.path': ['text', 'null'],
  visible: ['null', 'absent'],
  ...Object.fromEntries(
    ['page', 'corner', 'x', 'y', 'width', 'height', 'lines'].map((name) => [`visible.${name}`, []]),
  ),
  'visible.image': ['null'],
  'visible.border': ['flag'],
  signatureReason: optionalText,
  signatureLocation: optionalText,
  secret: [...optionalText, 'nul'],
  pkcs12: ['null', 'absent'],
}

const pause: Members = { reason: optionalText }

type Body = Record<string, unknown>

/** Each form: its members, and a body that is right but for the one that is tried. */
const forms: readonly (readonly [method: string, path: string, members: Members, body: (folder: string) => Body])[] = [
  [
    'POST',
    '/dashboard/api/folders',
    { name: ['text'], ...folderMembers },
    (at) => ({ name: 'b', ...folderForm(at, 'b') }),
  ],
  [
    'PUT',
    '/dashboard/api/folders/a',
    { version: [], ...folderMembers },
    (at) => ({ version: 1, ...folderForm(at, 'a') }),
  ],
  ['POST', '/dashboard/api/folders/a/pause', pause, () => ({})],
  ['POST', '/dashboard/api/folders/a/resume', pause, () => ({})],
  ['POST', '/dashboard/api/profiles', { name: [], ...profileMembers }, () => ({ name: 'other', ...profileForm })],
  ['PUT', '/dashboard/api/profiles/shown', { version: [], ...profileMembers }, () => ({ version: 1, ...profileForm })],
  [
    'POST',
    '/dashboard/api/failures/retry',
    { cause: ['text'], since: [], until: ['absent'], after: ['null', 'absent'], 'after.at': [], 'after.id': [] },
    () => ({ cause: 'job.signing-failed', since: '2026-01-01', after: { at: '2026-01-01', id: crypto.randomUUID() } }),
  ],
]

const folderForm = (folder: string, name: string): Body => ({ options: { path: join(folder, name) }, create: true })

const profileForm: Body = {
  ...Object.fromEntries(flags.map((flag) => [flag, false])),
  enabled: true,
  checkCnab240PaymentDates: false,
  inputFolder: null,
  format: 'Pades',
  method: 'Local',
  level: 'B-B',
  encryptionCertificates: [],
  timestampAuthority: null,
  certificate: { kind: 'Pkcs12', path: 'key.p12' },
  visible: {
    page: 'last',
    corner: 'top-left',
    x: 1,
    y: 1,
    width: 200,
    height: 60,
    lines: ['{name}'],
    image: null,
    border: true,
  },
}

const changed = (body: Body, [first, ...rest]: readonly string[], kind: Kind): Body => {
  const { [first!]: inner, ...others } = body
  if (rest.length > 0) return { ...others, [first!]: changed((inner ?? {}) as Body, rest, kind) }
  return kind === 'absent' ? others : { ...others, [first!]: values[kind] }
}

const kinds: readonly Kind[] = [...(Object.keys(values) as Kind[]), 'absent']

/** The answer names the member, the option of that name, or what it is a part of. */
const isNamed = (member: string, errors: object): boolean =>
  Object.keys(errors).some(
    (name) => name.startsWith(member) || member.endsWith(`.${name}`) || member.startsWith(name),
  ) ||
  // Of options that are an object of something else, the names inside are told.
  (member === 'options' && 'x' in errors)

async function sent({ full }: RunningBatchSigner, method: string, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const answer = await full.json<{ errors?: object }>(method, path, { body: JSON.stringify(body), headers })
  return { status: answer.status, errors: answer.body?.errors ?? {}, body: answer.body }
}

for (const database of databases)
  describe(`bodies of the dashboard on ${database}`, () => {
    test('a value of the wrong kind is refused by the name of its member, and nothing is changed', async () => {
      const [ana] = demoHolders
      const profiles = [
        profileOf(ana!.label, { Name: 'default', InputFolder: 'default' }),
        profileOf(ana!.label, { Name: 'shown', Format: 'Pades' }),
      ]
      // In production only `errors` tells a name.
      const settings = { RateLimiting: { Enabled: false }, Environment: 'production' as never }
      const world = await startBatchSigner({ database, profiles, settings })
      await mkdir(join(world.folder, 'a'))
      const added = await sent(world, 'POST', '/dashboard/api/folders', { name: 'a', ...folderForm(world.folder, 'a') })
      expect(added).toMatchObject({ status: 201 })
      const state = async () => [
        (await world.full.json('GET', '/dashboard/api/folders')).body,
        (await world.full.json('GET', '/dashboard/api/profiles')).body,
      ]
      const before = await state()
      for (const [method, path, members, body] of forms)
        for (const [member, right] of Object.entries({ ...members, surplus: ['absent'] }))
          for (const kind of kinds.filter((one) => !right.includes(one))) {
            const answer = await sent(world, method, path, changed(body(world.folder), member.split('.'), kind))
            const told = `${method} ${path} ${member} ${kind}: ${JSON.stringify(answer.body)}`
            expect(answer.status, told).toBe(400)
            expect(isNamed(member, answer.errors), told).toBe(true)
          }
      expect(await state()).toEqual(before)
    })
  })
