import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { detailed } from '@chancela/service-kernel/health'
import { createLogger } from '@chancela/service-kernel/http'
import { openSecrets, resealTable } from '@chancela/service-kernel/secrets'
import { testClock } from '@chancela/testkit/clock'
import { pkcs12Variants } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { sealedProfiles } from '../src/store/profiles.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { openBatchStore } from '../src/test-support/ledger-world.ts'
import { API_KEY, form, profilesApp } from './test-support/profiles-app.ts'
import {
  inMemory,
  openSigningWorld,
  PASSWORD,
  runningPki,
  seed,
  signThrough,
  type WorldOptions,
} from './test-support/signing-world.ts'

const secretsUnder = (fill: number) =>
  openSecrets({ service: 'x', masterKeyFile: '', masterKey: Buffer.alloc(32, fill).toString('base64') })

const auth = { Auth: { ApiKey: API_KEY } }

for (const [database, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`profiles on ${database}`, () => {
    const openWorld = (options: WorldOptions = {}) =>
      openSigningWorld({ open, ...options, settings: { ...auth, ...options.settings } })

    test('come from the configuration once, with their secrets sealed', async () => {
      const folder = temporaryFolder()
      const store = await openBatchStore(open)
      const first = await openWorld({
        store,
        folder,
        seeds: [seed('payroll', { Format: 'Cades', InputFolder: 'default' })],
      })
      expect(first.profiles.list().map(({ name }) => name)).toEqual(['default', 'payroll'])
      expect(first.profiles.byFolder('default')?.name).toBe('payroll')
      const rows = await store.db.selectFrom('signing_profile').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(PASSWORD)
      expect(first.profiles.state('PAYROLL')).toEqual({ state: 'ready' })

      const lines: string[] = []
      const logger = createLogger({
        service: 'x',
        level: 'info',
        destination: { write: (line: string) => lines.push(line) } as never,
      })
      const again = await openWorld({ store, folder, seeds: [seed('other', { Format: 'Cades' })], logger })
      expect(again.profiles.get('other')).toBeUndefined()
      expect(again.profiles.get('payroll')).toBeDefined()
      expect(lines.filter((line) => line.includes('Signing:Profiles is ignored'))).toHaveLength(1)
    })

    test('are seeded once by two instances that start together', async () => {
      const folder = temporaryFolder()
      const store = await openBatchStore(open)
      const seeds = [seed('payroll', { Format: 'Cades' })]
      const [one, other] = await Promise.all([
        openWorld({ store, folder, seeds }),
        openWorld({ store: await store.reopen(), folder, seeds }),
      ])
      for (const { profiles } of [one, other]) {
        expect(profiles.list().map(({ name, version }) => [name, version])).toEqual([
          ['default', 1],
          ['payroll', 1],
        ])
      }
      expect((await one.context.events.list({ type: 'SigningProfileCreated' })).total).toBe(2)
    })

    test('without any there is a default one, degraded, that has the only folder', async () => {
      const { profiles, context } = await openWorld()
      expect(profiles.list()).toMatchObject([
        { name: 'default', inputFolder: 'default', format: null, certificate: null },
      ])
      expect(profiles.state('default').state).toBe('degraded')
      const planning = () => profiles.plan({ profileName: 'default', format: 'Cades', encryptionRequested: null })
      expect(planning).toThrow(expect.objectContaining({ code: 'profile.degraded' }))
      const missing = () => profiles.plan({ profileName: 'nobody', format: 'Cades', encryptionRequested: null })
      expect(missing).toThrow(expect.objectContaining({ code: 'profile.not-found' }))
      const { ready, checks } = detailed(await context.readiness.verdict())
      expect(ready).toBe(true)
      expect(checks).toContainEqual({
        name: 'signing-profile:default',
        ok: false,
        detail: 'The profile has no certificate.',
      })
    })

    test('that break a rule stop the start with all that is wrong', async () => {
      const opening = openWorld({
        seeds: [seed('one', { Level: 'B-T' }), seed('two', { Format: 'Pades', PreserveFileExtension: true })],
      })
      await expect(opening).rejects.toThrow(
        /one: Only the default profile.*one: The level B-T.*two: PreserveFileExtension/s,
      )
    })

    test('are listed and found by name in any letters', async () => {
      const call = await profilesApp(await openWorld({ seeds: [seed('payroll', { Format: 'Cades' })] }))
      const { body } = await call('GET', '/api/profiles')
      expect(body).toMatchObject({
        profiles: [
          { name: 'default', state: 'degraded' },
          { name: 'payroll', state: 'ready' },
        ],
      })
      expect(await call('GET', '/api/profiles/PayRoll')).toMatchObject({
        status: 200,
        body: {
          name: 'payroll',
          enabled: true,
          inputFolder: null,
          format: 'Cades',
          method: 'Local',
          certificateSource: 'Pkcs12',
          verify: true,
          encrypt: false,
          validateCertificate: true,
          checkCnab240: false,
          checkCnab240PaymentDates: true,
          preserveFileExtension: false,
          saveAsPem: false,
          approval: null,
        },
      })
      expect(await call('GET', '/api/profiles/nobody')).toMatchObject({
        status: 404,
        body: { code: 'profile.not-found' },
      })
      expect(await call('GET', '/api/profiles', undefined, 'another key of some length')).toMatchObject({ status: 401 })
    })

    test('are created and edited on the dashboard, each change with its event', async () => {
      const world = await openWorld()
      const call = await profilesApp(world)
      const certificate = { kind: 'Pkcs12', path: 'ana-souza.p12' }
      const created = await call('POST', '/dashboard/api/profiles', {
        name: 'payroll',
        ...form({ certificate, secret: PASSWORD }),
      })
      expect(created).toMatchObject({
        status: 201,
        body: { name: 'payroll', version: 1, hasSecret: true, state: 'ready', reason: null, key: { kind: 'e-CPF' } },
      })
      expect(await call('POST', '/dashboard/api/profiles', { name: 'payroll', ...form() })).toMatchObject({
        status: 409,
        body: { code: 'profile.already-exists' },
      })
      const behaviour = await call('PUT', '/dashboard/api/profiles/PAYROLL', {
        version: 1,
        ...form({ certificate, saveAsPem: true }),
      })
      expect(behaviour).toMatchObject({
        status: 200,
        body: { version: 2, saveAsPem: true, hasSecret: true, state: 'ready' },
      })
      const key = { certificate: { kind: 'Pkcs12', path: 'davi-moreira.p12' }, saveAsPem: true }
      expect(await call('PUT', '/dashboard/api/profiles/payroll', { version: 2, ...form(key) })).toMatchObject({
        body: { version: 3, state: 'ready', key: { keyType: 'ec-256' } },
      })
      expect(await call('PUT', '/dashboard/api/profiles/payroll', { version: 2, ...form(key) })).toMatchObject({
        status: 409,
        body: { code: 'profile.changed-meanwhile' },
      })
      expect(await call('PUT', '/dashboard/api/profiles/nobody', { version: 1, ...form() })).toMatchObject({
        status: 404,
      })
      const { items } = await world.context.events.list({ subject: { kind: 'signing-profile', id: 'payroll' } })
      expect(items.map(({ type, actor }) => [type, actor]).reverse()).toEqual([
        ['SigningProfileCreated', 'api-key'],
        ['SigningProfileEdited', 'api-key'],
        ['SigningProfileCertificateEdited', 'api-key'],
      ])
      const state = await world.context.store.db
        .selectFrom('pipeline_state')
        .select('profile_version')
        .executeTakeFirst()
      expect(state?.profile_version).toBe(4)
    })

    test('are refused with the fields that are wrong, in production too', async () => {
      const call = await profilesApp(await openWorld())
      const wrong = form({ format: null, encrypt: true, inputFolder: 'default' })
      expect(await call('POST', '/dashboard/api/profiles', { name: 'Not a slug', ...wrong })).toMatchObject({
        status: 400,
        body: {
          code: 'profile.invalid',
          errors: {
            name: [expect.any(String)],
            format: [expect.any(String)],
            encrypt: [expect.any(String)],
            inputFolder: [expect.stringContaining('profile default')],
          },
        },
      })
    })

    test('edited on one instance are followed by the others, without a restart', async () => {
      const folder = temporaryFolder()
      const store = await openBatchStore(open)
      const one = await openWorld({ store, folder, seeds: [seed('payroll', { Format: 'Cades' })] })
      const other = await openWorld({ store: await store.reopen(), folder })
      const before = other.profiles.plan({ profileName: 'payroll', format: 'Pades', encryptionRequested: null })
      let changes = 0
      other.profiles.onChange(() => changes++)
      const draft = { ...one.profiles.get('payroll')!, preserveFileExtension: true }
      await one.profiles.edit(
        'payroll',
        1,
        { draft: { ...draft, certificate: { kind: 'Pkcs12', path: 'davi-moreira.p12' } } },
        'operator',
      )
      await expect.poll(() => other.profiles.certificate('payroll')?.keyType).toBe('ec-256')
      await expect.poll(() => changes).toBeGreaterThan(0)
      expect(other.profiles.get('payroll')).toMatchObject({ version: 2, preserveFileExtension: true })
      // A job picked up before signs with the key it was picked up with.
      expect(before.profile.version).toBe(1)
      const signed = await before.sign(inMemory(samplePdf('a document')), other.context.clock(), async () => '')
      await signed.verify(other.context.clock())
    })

    test('of a store that was put back are followed, although their versions are not higher', async () => {
      const store = await openBatchStore(open)
      const world = await openWorld({ store, seeds: [seed('payroll', { Format: 'Cades', InputFolder: 'default' })] })
      let told = 0
      world.profiles.onChange(() => void told++)
      await store.db.updateTable('signing_profile').set({ input_folder: null }).execute()
      await world.profiles.reload()
      expect([told, world.profiles.byFolder('default')]).toEqual([1, undefined])
      await world.profiles.reload()
      expect(told).toBe(1)
    })

    test('under another master key only those with secrets are degraded', async () => {
      const folder = temporaryFolder()
      const store = await openBatchStore(open)
      const { pki } = await runningPki()
      await writeFile(join(folder, 'open.p12'), pki.pkcs12(pki.certificate('ana-souza'), { password: '' }))
      const seeds = [seed('sealed', { Format: 'Cades' }), { Name: 'open', Format: 'Cades', Pkcs12File: 'open.p12' }]
      const right = await openWorld({ store, folder, seeds, secrets: secretsUnder(1) })
      expect(['sealed', 'open'].map((name) => right.profiles.state(name).state)).toEqual(['ready', 'ready'])
      const wrong = await openWorld({ store, folder, secrets: secretsUnder(2) })
      expect(wrong.profiles.state('open')).toEqual({ state: 'ready' })
      expect(wrong.profiles.state('sealed')).toMatchObject({
        state: 'degraded',
        reason: expect.stringContaining('cannot be unsealed'),
      })
      const verdict = await wrong.context.readiness.verdict()
      expect(verdict.ready).toBe(true)
    })

    test('keep their secrets when the master key is rotated', async () => {
      const folder = temporaryFolder()
      const store = await openBatchStore(open)
      const keys = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'))
      const ring = (...some: (string | undefined)[]) =>
        openSecrets({ service: 'x', masterKeyFile: '', masterKey: some.join(',') })
      await openWorld({ store, folder, seeds: [seed('sealed', { Format: 'Cades' })], secrets: ring(keys[0]) })
      await resealTable(store as never, ring(...keys), sealedProfiles as never)
      const { profiles } = await openWorld({ store, folder, secrets: ring(keys[1]) })
      expect(profiles.state('sealed')).toEqual({ state: 'ready' })
    })
  })
}

describe('the key of a profile', () => {
  test.each([
    [
      'a wrong password',
      async () => {},
      { Pkcs12Password: 'not it, not it' },
      'The password does not open the PKCS#12 file.',
    ],
    ['a missing file', (folder: string) => rm(join(folder, 'key.p12')), {}, /There is no file .*key\.p12\./],
    ['an empty file', (folder: string) => writeFile(join(folder, 'key.p12'), ''), {}, 'The PKCS#12 file is empty.'],
    ['another kind of file', (folder: string) => writeFile(join(folder, 'key.p12'), 'text'), {}, /no PKCS#12 file/],
  ] as const)(
    'that does not open because of %s degrades the profile and says so',
    async (_what, spoil, more, reason) => {
      const folder = temporaryFolder()
      const { pki } = await runningPki()
      await writeFile(join(folder, 'key.p12'), pki.pkcs12(pki.certificate('ana-souza'), { password: PASSWORD }))
      await spoil(folder)
      const { profiles } = await openSigningWorld({
        folder,
        seeds: [
          seed('broken', { Format: 'Cades', Pkcs12File: 'key.p12', ...more }),
          seed('sound', { Format: 'Cades' }),
        ],
      })
      const state = profiles.state('broken')
      expect(state).toMatchObject({ state: 'degraded', reason: expect.stringMatching(reason) })
      expect(profiles.state('sound')).toEqual({ state: 'ready' })
    },
  )

  // The variant with 600,000 rounds takes the demo PKI half a minute to write; the engine's tests open it.
  test.each(Object.entries(pkcs12Variants).filter(([variant]) => variant !== 'aes-256-600k'))(
    'opens from a PKCS#12 of the kind %s',
    async (variant, { example }) => {
      const folder = temporaryFolder()
      const { pki } = await runningPki()
      const file = pki.pkcs12(pki.certificate(example.holder), {
        password: example.password,
        variant: variant as never,
      })
      await writeFile(join(folder, 'key.p12'), file)
      const { profiles } = await openSigningWorld({
        folder,
        seeds: [{ Name: 'kind', Format: 'Cades', Pkcs12File: 'key.p12', Pkcs12Password: example.password }],
      })
      expect(profiles.state('kind')).toEqual({ state: 'ready' })
    },
  )

  test('that did not open is tried again until it does', async () => {
    const folder = temporaryFolder()
    const { pki } = await runningPki()
    const { profiles } = await openSigningWorld({
      folder,
      firstRetryMs: 20,
      seeds: [seed('late', { Format: 'Cades', Pkcs12File: 'late.p12' })],
    })
    expect(profiles.state('late').state).toBe('degraded')
    await writeFile(join(folder, 'new.p12'), pki.pkcs12(pki.certificate('ana-souza'), { password: PASSWORD }))
    await rename(join(folder, 'new.p12'), join(folder, 'late.p12'))
    await expect.poll(() => profiles.state('late')).toEqual({ state: 'ready' })
  })

  test('that has expired is red, and only warned of where certificates are not validated', async () => {
    const seeds = [
      seed('old', { Format: 'Cades' }, 'expired'),
      seed('trusting', { Format: 'Cades', ValidateCertificate: false }, 'expired'),
    ]
    const { profiles, context } = await openSigningWorld({ seeds })
    const reason = expect.stringContaining('expired on')
    expect(profiles.state('old')).toMatchObject({ state: 'degraded', reason })
    expect(profiles.state('trusting')).toMatchObject({ state: 'ready', reason })
    const { checks } = detailed(await context.readiness.verdict())
    const shown = (profile: string) => checks.find(({ name }) => name === `signing-profile:${profile}`)
    expect(shown('old')).toMatchObject({ ok: false, detail: reason })
    expect(shown('trusting')).toMatchObject({ ok: true, detail: reason })
  })

  test('that is revoked stops signing within minutes, and one verdict serves the files until then', async () => {
    const clock = testClock(new Date())
    const { pki } = await runningPki()
    const folder = temporaryFolder()
    const issued = await pki.issuePerson({ name: 'Rita a Revogar', cpf: '52998224725' })
    await writeFile(join(folder, 'rita.p12'), pki.pkcs12(issued, { password: PASSWORD }))
    const { profiles } = await openSigningWorld({
      folder,
      clock,
      seeds: [seed('rita', { Format: 'Cades', Pkcs12File: 'rita.p12' })],
    })
    const plan = profiles.plan({ profileName: 'rita', format: 'Cades', encryptionRequested: null })
    await plan.validateCertificate(clock())
    pki.revoke(issued)
    clock.advance(MINUTE)
    await plan.validateCertificate(clock())
    clock.advance(5 * MINUTE)
    await expect(plan.validateCertificate(clock())).rejects.toMatchObject({ code: 'job.certificate-invalid' })
  })

  test('uploaded as a PKCS#12 is sealed with the profile; more than 256 KiB is refused', async () => {
    const world = await openSigningWorld({ settings: auth })
    const call = await profilesApp(world)
    const { pki } = await runningPki()
    const pkcs12 = pki.pkcs12(pki.certificate('ana-souza'), { password: PASSWORD })
    const upload = (bytes: Buffer) =>
      form({ certificate: { kind: 'Pkcs12', path: null }, secret: PASSWORD, pkcs12: bytes.toString('base64') })
    const created = await call('POST', '/dashboard/api/profiles', { name: 'uploaded', ...upload(pkcs12) })
    expect(created).toMatchObject({ status: 201, body: { state: 'ready', hasSecret: true } })
    const row = await world.context.store.db
      .selectFrom('signing_profile')
      .selectAll()
      .where('name', '=', 'uploaded')
      .executeTakeFirstOrThrow()
    expect(row.sealed_pkcs12).not.toContain(pkcs12.toString('base64').slice(0, 60))
    const refused = await call('POST', '/dashboard/api/profiles', { name: 'large', ...upload(randomBytes(262_145)) })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'profile.invalid', errors: { pkcs12: [expect.any(String)] } },
    })
  })

  test('is tried before it is saved: holder, validity, verdict, a probe', async () => {
    const call = await profilesApp(
      await openSigningWorld({ settings: auth, seeds: [seed('saved', { Format: 'Cades' })] }),
    )
    const tried = await call('POST', '/dashboard/api/profiles/test-certificate', {
      certificate: { kind: 'Pkcs12', path: 'ana-souza.p12' },
      secret: PASSWORD,
    })
    expect(tried).toMatchObject({
      status: 200,
      body: {
        signs: true,
        problem: null,
        certificate: { holder: 'ANA BEATRIZ SOUZA', cpf: '52998224725', kind: 'e-CPF', trusted: true, reasons: [] },
      },
    })
    expect(await call('POST', '/dashboard/api/profiles/saved/test-certificate')).toMatchObject({
      body: { signs: true },
    })
    const other = { certificate: { kind: 'Pkcs12', path: 'under-unknown-root.p12' } }
    expect(await call('POST', '/dashboard/api/profiles/saved/test-certificate', other)).toMatchObject({
      body: { signs: true, certificate: { trusted: false, reasons: [expect.any(String)] } },
    })
    const wrong = { certificate: other.certificate, secret: 'not the password' }
    expect(await call('POST', '/dashboard/api/profiles/saved/test-certificate', wrong)).toMatchObject({
      body: { signs: false, problem: expect.stringContaining('password'), certificate: null },
    })
    expect(await call('POST', '/dashboard/api/profiles/nobody/test-certificate')).toMatchObject({ status: 404 })
  })
})

describe('a form', () => {
  test('offers folders with their owners, levels and formats', async () => {
    const settings = {
      ...auth,
      Storage: { Inputs: ['default', 'bank'].map((name) => ({ Name: name, Path: `in/${name}` })) },
    }
    const world = await openSigningWorld({
      settings,
      seeds: [seed('payroll', { Format: 'Cades', InputFolder: 'bank' })],
    })
    expect(world.profiles.get('default')?.inputFolder).toBeNull()
    const call = await profilesApp(world)
    expect(await call('GET', '/dashboard/api/profiles/options')).toMatchObject({
      body: {
        folders: [
          { name: 'default', profile: null },
          { name: 'bank', profile: 'payroll' },
        ],
        formats: ['Pades', 'Cades', 'Xades'],
        methods: ['Local'],
        tokens: [],
        tokensProblem: null,
      },
    })
    const { body } = await call('GET', `/dashboard/api/profiles/options?module=${world.folder}/evil.so`)
    expect(body).toMatchObject({ tokensProblem: expect.stringContaining('outside the folders') })
  })

  test('of a profile whose folder this host does not have shows a red row that does not count', async () => {
    const folder = temporaryFolder()
    const store = await openBatchStore(testStores.SQLite)
    await openSigningWorld({ store, folder, seeds: [seed('payroll', { Format: 'Cades', InputFolder: 'default' })] })
    const { context } = await openSigningWorld({
      store,
      folder,
      settings: { Storage: { Inputs: [{ Name: 'other', Path: 'in/other' }] } },
    })
    const { ready, checks } = detailed(await context.readiness.verdict())
    expect(ready).toBe(true)
    expect(checks).toContainEqual({
      name: ['profile-input-folder:', 'payroll'].join(''),
      ok: false,
      detail: 'This host has no input folder named default.',
    })
  })
})

test('no secret of a profile is ever told: not in logs, events, answers or failures', async () => {
  const lines: string[] = []
  const logger = createLogger({
    service: 'x',
    level: 'trace',
    destination: { write: (line: string) => lines.push(line) } as never,
  })
  const world = await openSigningWorld({ settings: auth, logger, seeds: [seed('payroll', { Format: 'Cades' })] })
  const call = await profilesApp(world)
  const certificate = { kind: 'Pkcs12', path: 'ana-souza.p12' }
  const answers = [
    await call('POST', '/dashboard/api/profiles', { name: 'fresh', ...form({ certificate, secret: PASSWORD }) }),
    await call('POST', '/dashboard/api/profiles', { name: 'Bad name', ...form({ certificate, secret: PASSWORD }) }),
    await call('PUT', '/dashboard/api/profiles/fresh', {
      version: 1,
      ...form({ certificate, secret: `${PASSWORD}!` }),
    }),
    await call('PUT', '/dashboard/api/profiles/fresh', { version: 2, ...form({ certificate: 7, secret: PASSWORD }) }),
    await call('POST', '/dashboard/api/profiles/test-certificate', { certificate, secret: `${PASSWORD}!` }),
    await call('GET', '/dashboard/api/profiles'),
    await call('GET', '/api/profiles'),
  ]
  const { items } = await world.context.events.list()
  const failure = await signThrough(
    world,
    { profile: 'fresh', format: 'Cades' },
    inMemory(samplePdf('a document')),
  ).catch(String)
  const verdict = await world.context.readiness.verdict()
  const told = [...lines, ...answers.map(({ text }) => text), JSON.stringify(items), failure, JSON.stringify(verdict)]
  expect(told.join('\n')).not.toContain(PASSWORD)
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 200, 400, 200, 200, 200])
})
