// Who a session is for, and what its client keeps with it, are sealed in the database; rows of the version before, too.
import { migrate } from '@chancela/service-kernel/store'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creationById } from '../src/store/creations.ts'
import { openIdentifierDigest } from '../src/store/identifier-digest.ts'
import { cloudHubSchema } from '../src/store/migrations.ts'
import { sealFormerHolders } from '../src/store/sealed-holders.ts'
import type { Tables } from '../src/store/tables.ts'
import { authorizedSession, returnedUser } from './test-support/authorized.ts'
import { databases, type HubWorld, sharedHub, startHub } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = '52998224725'
const BAKERY = '11222333000181'
const KEPT = 'contract 7 of Ana'

const stored = async ({ store }: Pick<HubWorld, 'store'>): Promise<string> =>
  JSON.stringify((await sql`select * from creation`.execute(store.db)).rows)

for (const database of databases)
  describe(`holders in the database (${database})`, () => {
    const hub = sharedHub(database)
    let provider: RunningCloudProvider
    let serviceName: string

    beforeAll(async () => {
      provider = await startCloudProvider({ pki: running.pki, clock: hub().clock })
      serviceName = (await addProvider(hub(), provider, { protocol: 'psc' })).serviceName
    })
    afterAll(() => provider.stop())

    const journey = () => ({ holder: 'ana-souza', serviceName, identifier: ANA, customState: KEPT }) as const
    const customState = async (session: string, at: HubWorld = hub()) =>
      (await at.json('GET', `/api/sessions/custom-state?session=${session}`)).body

    test('neither identifier nor customState can be read there, and both do their work', async () => {
      const session = await authorizedSession(hub(), provider, journey())
      const text = await stored(hub())
      expect(text).not.toContain(ANA)
      expect(text).not.toContain(KEPT)
      expect(await customState(session)).toBe(KEPT)
      const foreign = await returnedUser(hub(), provider, { ...journey(), identifier: '11144477735' })
      expect(foreign.searchParams.get('error')).toBe('access_denied')
    })

    test('creations of one identifier are found by its digest, however it is written, and by no other', async () => {
      const { context, store } = hub()
      await hub().json('POST', `/api/sessions/services/${serviceName}`, {
        redirectUri: 'https://app.example/return',
        identifier: BAKERY,
      })
      const digest = await openIdentifierDigest(context)
      const found = (identifier: string) =>
        store.db.selectFrom('creation').select('id').where('identifier_digest', '=', digest(identifier)).execute()
      expect(await found('11.222.333/0001-81')).toHaveLength(1)
      expect(await found(BAKERY)).toEqual(await found('11.222.333/0001-81'))
      expect((await found(ANA)).length).toBeGreaterThan(0)
      expect(await found('00000000191')).toEqual([])
      // The key of a digest is the same in every process.
      expect((await openIdentifierDigest(context))(ANA)).toBe(digest(ANA))
    })

    test('rows of the version before are sealed at the next start, and go on', async () => {
      const session = await authorizedSession(hub(), provider, journey())
      const { context, store } = hub()
      const digest = (await openIdentifierDigest(context))(ANA)
      await sql`update creation set plain_identifier = ${ANA}, plain_custom_state = ${KEPT},
        sealed_identifier = null, sealed_custom_state = null, identifier_digest = null
        where identifier_digest = ${digest}`.execute(store.db)
      expect(await stored(hub())).toContain(KEPT)
      const next = await startHub(database, { after: hub() })
      const text = await stored(next)
      expect(text).not.toContain(ANA)
      expect(text).not.toContain(KEPT)
      expect(text).toContain(digest)
      expect(await customState(session, next)).toBe(KEPT)
    })

    test('a database of the version before is migrated, with more rows than are sealed at once', async () => {
      const { 'cloud-hub-holders': _, ...before } = cloudHubSchema
      const store = await testStores[database]<Tables>(before)
      const { secrets } = hub().context
      const at = hub().clock().toISOString()
      const ids = Array.from({ length: 405 }, (_each, index) => String(1000 + index))
      for (const id of ids)
        await sql`insert into creation (id, key_id, application_id, type, redirect_uri, identifier, identifier_type,
          custom_state, lifetime_seconds, created_at, expires_at) values (${id}, 'k', 'a', 'SingleSignature', 'https://a.example/',
          ${id === '1000' ? null : ANA}, 'CPF', ${`${KEPT} ${id}`}, 300, ${at}, ${at})`.execute(store.db)
      await migrate(store, cloudHubSchema)
      const seal = { secrets, identifierDigest: await openIdentifierDigest({ store, secrets }) }
      await sealFormerHolders(store, seal)
      // Once more, as after a start that was killed in between.
      await sealFormerHolders(store, seal)
      const text = await stored({ store } as HubWorld)
      expect(text).not.toContain(ANA)
      expect(text).not.toContain(KEPT)
      const opened = await Promise.all(ids.map((id) => creationById(store.db, secrets, id)))
      expect(opened.map(({ custom_state }) => custom_state)).toEqual(ids.map((id) => `${KEPT} ${id}`))
      expect(opened.map(({ identifier }) => identifier)).toEqual([null, ...ids.slice(1).map(() => ANA)])
      await store.close()
    })
  })
