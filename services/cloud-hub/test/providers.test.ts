// Administration of providers: rows with sealed secrets, followed by a running hub.
import { join } from 'node:path'
import { keysInUse, openSecrets, resealTable, rotateMasterKey } from '@chancela/service-kernel/secrets'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cloudHub } from '../src/index.ts'
import { describeKnobs, knobProblems, knobsOf } from '../src/upstream/knobs.ts'
import { presets } from '../src/upstream/presets.ts'
import { allowRedirects, authorizedSession } from './test-support/authorized.ts'
import { type Database, databases, sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider, knownTo, registryOf } from './test-support/providers.ts'

let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const given = {
  preset: 'generic-psc',
  endpoint: 'https://psc.example/v0',
  clientId: 'hub',
  clientSecret: 'a secret that nobody may read',
}

for (const database of databases) describe(`on ${database}`, () => lookedAfter(database))

function lookedAfter(database: Database): void {
  const hub = sharedHub(database)
  const registry = () => registryOf(hub())
  const events = async () => (await hub().context.events.list()).items.map(({ type }) => type)
  const name = () => `p-${crypto.randomUUID().slice(0, 8)}`

  test('a preset gives what is known of a provider, and the operator the rest', async () => {
    const view = await registry().create(
      { preset: 'birdid', clientId: 'id', clientSecret: 'x', serviceName: 'BirdID' },
      'ana',
    )
    expect(view).toMatchObject({
      serviceName: 'BirdID',
      provider: 'Soluti',
      protocol: 'psc',
      endpoint: 'https://api.birdid.com.br/v0',
      callbackUri: `${hub().settings.Http.PublicUrl}/callbacks/birdid`,
      badgeUrl: null,
      knobs: {},
      enabled: true,
    })
    const [event] = (await hub().context.events.list({ subject: { kind: 'provider', id: view.id } })).items
    expect(event).toMatchObject({ type: 'ProviderCreated', actor: 'ana', text: 'BirdID was added.' })
    await registry().remove(view.id, 'ana')
  })

  test('the secret is sealed in its row and shown nowhere', async () => {
    const { clientSecret } = given
    const view = await registry().create({ ...given, serviceName: name() }, 'operator')
    await registry().update(view.id, { provider: 'Another name' }, 'operator')
    const row = await hub().store.db.selectFrom('provider').selectAll().where('id', '=', view.id).executeTakeFirst()
    const log = await hub().context.events.list()
    for (const text of [row, view, await registry().list(), await registry().find(view.id), log])
      expect(JSON.stringify(text)).not.toContain(clientSecret)
    expect(hub().log()).not.toContain(clientSecret)
    expect(hub().context.secrets.openText(row!.sealed_secret, `provider.sealed_secret:${view.id}`)).toContain(
      clientSecret,
    )
    await registry().remove(view.id, 'operator')
  })

  test('a rotation of the master key reaches the secrets of providers, steps and grants', async () => {
    const { id, serviceName, clientSecret } = await addProvider(hub(), provider, { protocol: 'psc' })
    await allowRedirects(hub())
    await authorizedSession(hub(), provider, { holder: 'ana-souza', serviceName })
    const { store, dataFolder, settings, context } = hub()
    const keyFile = {
      service: 'cloud-hub',
      masterKeyFile: join(dataFolder, settings.Secrets.MasterKeyFile),
    }
    const { newest } = rotateMasterKey(keyFile)
    const tables = cloudHub.sealedTables!
    for (const table of tables) {
      const { unopened } = await resealTable(store as never, openSecrets(keyFile), table as never)
      expect(unopened).toEqual([])
    }
    expect([...(await keysInUse(store as never, tables as never))]).toEqual([newest])
    const columns = tables.flatMap(({ table, columns }) => columns.map((one) => `${table}.${one}`))
    expect(columns).toEqual(
      expect.arrayContaining(['provider.sealed_secret', 'session.sealed_step', 'session.sealed_grant']),
    )
    const row = await store.db.selectFrom('provider').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(context.secrets.openText(row.sealed_secret, `provider.sealed_secret:${id}`)).toContain(clientSecret)
  })

  test('names are unique in any case', async () => {
    const serviceName = name()
    const view = await registry().create({ ...given, serviceName }, 'operator')
    await expect(
      registry().create({ ...given, serviceName: serviceName.toUpperCase() }, 'operator'),
    ).rejects.toMatchObject({ code: 'PROVIDER_NAME_TAKEN' })
    await registry().remove(view.id, 'operator')
  })

  test.each([
    ['a name that is no part of a path', { serviceName: 'a/b' }, 'PROVIDER_NAME_INVALID'],
    ['a preset nobody knows', { preset: 'nobody' }, 'PROVIDER_PRESET_UNKNOWN'],
    ['no endpoint where the preset has none', { preset: 'remoteid', endpoint: undefined }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['an endpoint without TLS', { endpoint: 'http://psc.example/v0' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['an endpoint inside the network', { endpoint: 'https://10.0.0.1/v0' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['the metadata of a cloud', { endpoint: 'https://169.254.169.254/v0' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['an endpoint with credentials', { endpoint: 'https://a:b@psc.example/v0' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['an endpoint with a query', { endpoint: 'https://psc.example/v0?a=b' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['a file as an endpoint', { endpoint: 'file:///etc/passwd' }, 'PROVIDER_ENDPOINT_REFUSED'],
    ['a badge that a browser would run', { badgeUrl: 'javascript:alert(1)' }, 'PROVIDER_BADGE_REFUSED'],
    ['a knob nobody knows', { knobs: { unknown: true } }, 'PROVIDER_KNOBS_INVALID'],
    ['a knob of another kind', { knobs: { hashEncoding: 'base32' } }, 'PROVIDER_KNOBS_INVALID'],
    ['a parameter of the protocol', { knobs: { authorizeParameters: ['state=1'] } }, 'PROVIDER_KNOBS_INVALID'],
    ['a TLS key without its certificate', { tlsKey: 'a key' }, 'PROVIDER_TLS_KEY_INVALID'],
  ])('%s is refused', async (_, wrong, code) => {
    const fields = { ...given, serviceName: name(), ...wrong } as Parameters<ReturnType<typeof registry>['create']>[0]
    await expect(registry().create(fields, 'operator')).rejects.toMatchObject({ code })
  })

  test('a running hub follows every change', async () => {
    const { id, serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
    const renamed = await registry().update(id, { serviceName: name(), badgeUrl: 'https://logo.example/a.png' }, 'ana')
    await knownTo(hub(), renamed.serviceName)
    await knownTo(hub(), serviceName, false)
    await registry().setEnabled(id, false, 'ana')
    await knownTo(hub(), renamed.serviceName, false)
    await registry().setEnabled(id, true, 'ana')
    await knownTo(hub(), renamed.serviceName.toUpperCase())
    await registry().remove(id, 'ana')
    await knownTo(hub(), renamed.serviceName, false)
    expect((await events()).slice(0, 5)).toEqual([
      'ProviderRemoved',
      'ProviderEnabled',
      'ProviderDisabled',
      'ProviderChanged',
      'ProviderCreated',
    ])
    await expect(registry().find(id)).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' })
  })

  test('providers keep the order they are put into', async () => {
    const made = [name(), name(), name()]
    const views = []
    for (const serviceName of made) views.push(await registry().create({ ...given, serviceName }, 'operator'))
    const [one, two, three] = views.map(({ id }) => id) as [string, string, string]
    const ordered = await registry().reorder([three, one], 'operator')
    expect(ordered.map(({ id }) => id).filter((id) => [one, two, three].includes(id))).toEqual([three, one, two])
    await expect(registry().reorder(['nobody'], 'operator')).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' })
    for (const { id } of views) await registry().remove(id, 'operator')
  })

  test('a provider that live sessions rest on is not removed', async () => {
    const { id, serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
    await allowRedirects(hub())
    await authorizedSession(hub(), provider, { holder: 'ana-souza', serviceName })
    await expect(registry().remove(id, 'operator')).rejects.toMatchObject({ code: 'PROVIDER_IN_USE' })
    expect(await registry().find(id)).toMatchObject({ serviceName })
  })

  test('the hub registers itself where a provider takes registrations', async () => {
    const fields = { preset: 'generic-psc', serviceName: name(), endpoint: provider.psc.baseUrl }
    const { id, callbackUri } = await registry().create(fields, 'operator')
    await knownTo(hub(), fields.serviceName, false)
    const registered = await registry().register(id, { name: 'Hub', email: 'hub@example.com' }, 'operator')
    expect(registered.clientId).not.toBe('')
    expect(provider.calls.findLast(({ operation }) => operation === 'application')!.body).toMatchObject({
      redirect_uris: [callbackUri],
    })
    await knownTo(hub(), fields.serviceName)
    expect(await registry().test(id)).toMatchObject([{ ok: true }, { name: 'client_token', ok: true }, { ok: true }])
    await registry().remove(id, 'operator')
  })

  test('a registration that fails changes nothing, and one of another protocol is refused', async () => {
    const fields = { preset: 'generic-psc', serviceName: name(), endpoint: provider.psc.baseUrl }
    const { id } = await registry().create(fields, 'operator')
    provider.fail('application', { status: 403, body: { error: 'access_denied' } })
    const form = { name: 'Hub', email: 'hub@example.com' }
    await expect(registry().register(id, form, 'operator')).rejects.toMatchObject({
      code: 'PROVIDER_REGISTRATION_FAILED',
      details: { status: 403, code: 'access_denied' },
    })
    expect(await registry().find(id)).toMatchObject({ clientId: '' })
    const csc = await addProvider(hub(), provider, { protocol: 'csc' })
    await expect(registry().register(csc.id, form, 'operator')).rejects.toMatchObject({
      code: 'PROVIDER_REGISTRATION_UNKNOWN',
    })
  })
}

describe('knobs', () => {
  test('hold over the preset, and the preset over the defaults', () => {
    const knobs = knobsOf('psc', presets.birdid.knobs, { maxHashesPerCall: 3 })
    expect(knobs).toMatchObject({
      hashEncoding: 'hex',
      maxHashesPerCall: 3,
      tokenBody: 'form',
      foundStatuses: ['S', 'Y'],
    })
  })

  test('of every preset are those of its protocol', () => {
    for (const { protocol, knobs } of Object.values(presets)) {
      expect(knobProblems(protocol, knobs)).toEqual([])
      expect(() => knobsOf(protocol, knobs)).not.toThrow()
    }
  })

  test('are all of a kind that a page can show', () => {
    for (const { kind, description } of describeKnobs()) {
      expect(kind).toBeDefined()
      expect(description).not.toBe('')
    }
  })
})
