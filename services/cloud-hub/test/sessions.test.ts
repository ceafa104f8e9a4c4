// Creating sessions (spec 1 B, Endpoints): which providers are asked, what is stored, what the client gets.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { creationById } from '../src/store/creations.ts'
import { allowRedirects, authorizedSession, REDIRECT_URI } from './test-support/authorized.ts'
import { databases, type HubWorld, newClient, sharedHub, startHub, testOnce } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider, knownTo, registryOf } from './test-support/providers.ts'

const ANA = '52998224725'
const BAKERY = '11222333000181'
const NOBODY = '00000000191'

const lastCreation = async ({ store, context }: HubWorld) => {
  const last = store.db.selectFrom('creation').select('id').orderBy('id', 'desc').limit(1)
  return creationById(store.db, context.secrets, (await last.executeTakeFirstOrThrow()).id)
}

for (const database of databases) {
  describe(`creating sessions (${database})`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    let provider: RunningCloudProvider

    beforeAll(async () => {
      provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'BirdSim' })
      const knobs = { discovery: false, offerUnasked: false }
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'quiet', knobs })
      await allowRedirects(world())
    })
    afterAll(() => provider.stop())

    const create = (body: object, path = '/api/sessions') =>
      world().json('POST', path, { redirectUri: REDIRECT_URI, ...body })
    const names = (body: { services: { serviceInfo: { serviceName: string } }[] }) =>
      body.services.map(({ serviceInfo }) => serviceInfo.serviceName)

    test('with an identifier only providers holding a certificate for it are returned, and no field more', async () => {
      const { status, body } = await create({ identifier: ANA })
      expect(status).toBe(200)
      const serviceInfo = {
        serviceName: 'BirdSim',
        provider: 'Nuvem Demo S.A.',
        endpoint: provider.psc.baseUrl,
        badgeUrl: `${world().settings.Http.PublicUrl}/badges/BirdSim.svg`,
      }
      expect(body).toEqual({ services: [{ serviceInfo, authUrl: expect.any(String) }] })
      const url = new URL(body.services[0].authUrl)
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        login_hint: ANA,
        scope: 'single_signature',
        redirect_uri: `${world().settings.Http.PublicUrl}/callbacks/birdsim`,
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
      })
    })

    once('services is empty when no provider holds a certificate for the identifier', async () => {
      expect(await create({ identifier: NOBODY })).toMatchObject({ status: 200, body: { services: [] } })
    })

    test('without an identifier every provider is returned, in the order of configuration', async () => {
      expect(names((await create({})).body)).toEqual(['BirdSim', 'quiet'])
    })

    test('discover false returns every provider and passes the identifier to each as a login hint', async () => {
      const { body } = await create({ identifier: NOBODY, discover: false })
      expect(names(body)).toEqual(['BirdSim', 'quiet'])
      for (const { authUrl } of body.services) expect(new URL(authUrl).searchParams.get('login_hint')).toBe(NOBODY)
    })

    once('discover true requires an identifier', async () => {
      const refusal = { status: 422, body: { code: 'IdentifierRequiredToDiscover', details: null } }
      expect(await create({ discover: true })).toMatchObject(refusal)
      expect(await create({ discover: true, identifier: '' })).toMatchObject(refusal)
    })

    once('one provider: its name in any case, discover ignored', async () => {
      const { status, body } = await create({ identifier: NOBODY, discover: true }, '/api/sessions/services/BIRDsim')
      expect(status).toBe(200)
      expect(body).toEqual({
        serviceInfo: expect.objectContaining({ serviceName: 'BirdSim' }),
        authUrl: expect.any(String),
      })
      const withoutAnybody = await create({ discover: true }, '/api/sessions/services/quiet')
      expect(withoutAnybody).toMatchObject({ status: 200, body: { serviceInfo: { serviceName: 'quiet' } } })
    })

    test.each([
      ['CNPJ', ANA, 'CPF'],
      ['CPF', BAKERY, 'CNPJ'],
      ['RG', ANA, 'CPF'],
    ])(
      'one provider knows no identifierType: with %s and %s the length says %s',
      async (identifierType, identifier, type) => {
        const { status, body, headers } = await create({ identifier, identifierType }, '/api/sessions/services/BirdSim')
        expect(status).toBe(200)
        expect(new URL(body.authUrl).searchParams.get('login_hint')).toBe(identifier)
        expect(await lastCreation(world())).toMatchObject({ identifier_type: type })
        expect(headers.get('warning')).toContain('identifierType')
      },
    )

    once('a provider nobody knows is ServiceNotFound, with its name', async () => {
      const refusal = { status: 422, body: { code: 'ServiceNotFound', details: { name: 'nobody' } } }
      expect(await create({}, '/api/sessions/services/nobody')).toMatchObject(refusal)
    })

    once('redirectUri is required', async () => {
      for (const path of ['/api/sessions', '/api/sessions/services/BirdSim', '/api/sessions/chooser']) {
        const answer = await world().json('POST', path, { identifier: ANA })
        expect(answer).toMatchObject({ status: 400, body: { status: 400, errors: { redirectUri: ['is required'] } } })
        expect(answer.headers.get('content-type')).toMatch('application/problem+json')
      }
    })

    once.each([
      ['SingleSignature', 'single_signature'],
      ['multisignature', 'multi_signature'],
      [3, 'signature_session'],
      ['4', 'authentication_session'],
      [1, 'single_signature'],
      ['1', 'single_signature'],
    ])('type %s is the scope %s', async (type, scope) => {
      const { body } = await create({ type })
      expect(new URL(body.services[0].authUrl).searchParams.get('scope')).toBe(scope)
    })

    once.each([
      ['type', 'Sometimes'],
      ['type', 0],
      ['type', 5],
      ['type', '5'],
      ['type', 1.5],
      ['type', true],
      ['identifierType', 'RG'],
      ['identifierType', 3],
    ])('%s %s is refused under its name', async (field, value) => {
      const answer = await create({ identifier: ANA, [field]: value })
      expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } })
    })

    test.each([
      [ANA, undefined, ANA, 'CPF'],
      ['529.982.247-25', undefined, ANA, 'CPF'],
      [' 529982247 25', 'cpf', ANA, 'CPF'],
      [ANA, 1, ANA, 'CPF'],
      ['11.222.333/0001-81', undefined, BAKERY, 'CNPJ'],
      [BAKERY, 'CNPJ', BAKERY, 'CNPJ'],
      [BAKERY, '2', BAKERY, 'CNPJ'],
      ['12.abc.345/01de-35', undefined, '12ABC34501DE35', 'CNPJ'],
    ])('identifier %s with the type %s is %s, a %s', async (identifier, identifierType, value, type) => {
      expect((await create({ identifier, identifierType, discover: false })).status).toBe(200)
      expect(await lastCreation(world())).toMatchObject({ identifier: value, identifier_type: type })
    })

    once.each([
      ['1234567890', undefined],
      ['123456789012', undefined],
      ['529982247x5', undefined],
      ['529_982_247_25', undefined],
      ['--- ---', undefined],
      [BAKERY, 'CPF'],
      [ANA, 'CNPJ'],
      ["' or 1=1 --", undefined],
    ])('identifier %s with the type %s is refused under its name', async (identifier, identifierType) => {
      const answer = await create({ identifier, identifierType })
      expect(answer).toMatchObject({ status: 400, body: { errors: { identifier: [expect.any(String)] } } })
    })

    test.each([
      [{}, 300],
      [{ lifetimeInSeconds: 0 }, 300],
      [{ lifetimeInSeconds: -5 }, 300],
      [{ lifetimeInSeconds: 60 }, 60],
      [{ type: 'SignatureSession' }, 3600],
      [{ type: 4, lifetimeInSeconds: null }, 3600],
      [{ lifetimeInSeconds: 9_999_999_999 }, 604_800],
      [{ identifier: BAKERY, lifetimeInSeconds: 9_999_999_999, discover: false }, 2_592_000],
    ])('%j lives %d seconds', async (body, seconds) => {
      const { services } = (await create(body)).body
      expect(new URL(services[0].authUrl).searchParams.get('lifetime')).toBe(String(seconds))
      const { created_at, expires_at, lifetime_seconds } = await lastCreation(world())
      expect(Number(lifetime_seconds)).toBe(seconds)
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(seconds * 1000)
    })

    test('hashes known beforehand need their algorithm, and its length', async () => {
      const hash = Buffer.alloc(32, 1).toString('base64')
      expect(await create({ hashes: [hash] })).toMatchObject({ body: { code: 'DigestAlgorithmNameOrOidIsRequired' } })
      const unknown = await create({ hashes: [hash], digestAlgorithm: 'MD5' })
      expect(unknown).toMatchObject({ status: 422, body: { code: 'InvalidDigestAlgorithm' } })
      const short = await create({ hashes: [hash, 'AAAA'], digestAlgorithm: 'SHA-256' })
      expect(short).toMatchObject({ status: 400, body: { errors: { 'hashes[1]': [expect.any(String)] } } })
      expect((await create({ hashes: [hash], digestAlgorithmOid: '2.16.840.1.101.3.4.2.1' })).status).toBe(200)
      const { known_hashes } = await lastCreation(world())
      expect(JSON.parse(known_hashes!)).toEqual({ digest: 'SHA-256', values: [hash] })
    })

    test('one session per provider waits, its state and its PKCE verifier unreadable in the database', async () => {
      const { body } = await create({ customState: 'kept with the session' })
      const { id } = await lastCreation(world())
      const rows = await world().store.db.selectFrom('session').selectAll().where('creation_id', '=', id).execute()
      expect(rows.map(({ state }) => state)).toEqual(['pending', 'pending'])
      const stored = JSON.stringify(rows)
      for (const { authUrl } of body.services) {
        expect(stored).not.toContain(new URL(authUrl).searchParams.get('state'))
        expect(stored).not.toContain(new URL(authUrl).searchParams.get('code_challenge'))
      }
      for (const { sealed_step } of rows) expect(sealed_step).toMatch(/^v1\./)
    })

    test('of a creation that no provider takes nothing is kept', async () => {
      const before = await lastCreation(world())
      await create({ identifier: NOBODY })
      expect(await lastCreation(world())).toEqual(before)
    })

    describe('a provider that cannot begin', () => {
      const add = async (serviceName: string, hub = world()) => {
        const simulator = await startCloudProvider({ pki: running.pki, clock: hub.clock })
        onTestFinished(() => simulator.stop())
        const { id } = await addProvider(hub, simulator, { protocol: 'csc', serviceName })
        onTestFinished(async () => {
          await registryOf(hub).setEnabled(id, false, 'test')
          await knownTo(hub, serviceName, false)
        })
        return simulator
      }

      test('is left out; asked alone, it is the reason of the failure', async () => {
        await (await add('gone')).stop()
        expect(names((await create({})).body)).toEqual(['BirdSim', 'quiet'])
        const alone = await create({}, '/api/sessions/services/gone')
        expect(alone).toMatchObject({ status: 500, text: '"ProviderUnavailable"' })
        expect(alone.headers.get('content-type')).toMatch('application/json')
      })

      once('in time is left out, too', async () => {
        const settings = { Discovery: { TimeoutMilliseconds: 300 }, Providers: { TimeoutSeconds: 60 } }
        const hub = await startHub(database, { settings })
        await addProvider(hub, provider, { protocol: 'psc', serviceName: 'quick' })
        await allowRedirects(hub)
        ;(await add('slow', hub)).failAlways('info', 'hang')
        const began = performance.now()
        const { body } = await hub.json('POST', '/api/sessions', { redirectUri: REDIRECT_URI })
        expect(names(body)).toEqual(['quick'])
        expect(performance.now() - began).toBeLessThan(hub.settings.Providers.TimeoutSeconds * 1000 * 0.8)
      })
    })

    describe('customState', () => {
      const read = (session: string, key?: string) =>
        world().json('GET', `/api/sessions/custom-state?session=${session}`, undefined, key ? { 'X-Api-Key': key } : {})
      const holder = 'ana-souza'

      test('comes back as a JSON string, byte for byte', async () => {
        const customState = '{"file":"ação \\"1\\" + é"}\n'
        const session = await authorizedSession(world(), provider, { holder, serviceName: 'BirdSim', customState })
        expect(await read(session)).toMatchObject({ status: 200, text: JSON.stringify(customState) })
      })

      test('is null when none was given', async () => {
        const session = await authorizedSession(world(), provider, { holder, serviceName: 'BirdSim' })
        const answer = await read(session)
        expect(answer).toMatchObject({ status: 200, text: 'null' })
        expect(answer.headers.get('content-type')).toMatch('application/json')
      })

      once('with the character U+0000 is refused: no database would give it back', async () => {
        const answer = await create({ customState: 'a\u0000b' })
        expect(answer).toMatchObject({ status: 400, body: { errors: { customState: [expect.any(String)] } } })
      })

      once.each([
        ['unknown', 'A'.repeat(43)],
        ['too long', 'A'.repeat(5000)],
        ['not a session at all', '%00'],
      ])('of a session that is %s is SessionInvalidOrAlreadyUsed', async (_what, session) => {
        expect(await read(session)).toMatchObject({ status: 422, body: { code: 'SessionInvalidOrAlreadyUsed' } })
      })

      test("of another key's session is SessionInvalidOrAlreadyUsed", async () => {
        const session = await authorizedSession(world(), provider, { holder, serviceName: 'BirdSim' })
        const { apiKey } = await newClient(world().store)
        await expect.poll(async () => (await read(session, apiKey)).status).not.toBe(401)
        expect(await read(session, apiKey)).toMatchObject({
          status: 422,
          body: { code: 'SessionInvalidOrAlreadyUsed' },
        })
        expect((await read(session)).status).toBe(200)
      })
    })
  })
}
