// Links by which students fetch their credentials.
import { describe, expect, test } from 'vitest'
import { sweepOffers } from '../src/store/wallet-offers.ts'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { concludedTranscript, schoolAt } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { PUBLIC_URL, pathOf, verifierAt } from './test-support/wallet.ts'

for (const database of databases) {
  describe(`links to credentials on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)
    const verifier = () => verifierAt(open().baseUrl)

    test('a student fetches the credential by a link: looking is free, taking works once', async () => {
      const school = await concludedTranscript(await schoolAt(open()))
      const { call, json, verified } = verifier()
      const offered = await school.json('POST', `${school.path}/wallet-offers`)
      expect(offered.status).toBe(201)
      const path = pathOf(offered.body.url)
      const language = { accept: 'text/html', 'accept-language': 'pt-BR' }
      for (let at = 0; at < 2; at++) {
        const page = await call('GET', path, { headers: language })
        const text = await page.text()
        expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
        expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
          'no-store',
          'no-referrer',
        ])
        expect(text).toContain('<form method="post">')
        expect(text).toContain('Maria Araújo')
      }
      expect((await json('GET', path)).body).toMatchObject({ kind: 'AcademicTranscript', course: 'Pedagogia' })
      // A browser sends an empty form.
      const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }
      const taken = await Promise.all([1, 2].map(() => call('POST', path, form)))
      expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 404])
      const token = await taken.find(({ status }) => status === 200)!.text()
      expect((await verified(token)).id).toBe(`${PUBLIC_URL}/${school.code}#credential`)
      const gone = await call('GET', path, { headers: language })
      expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('Link sem validade')])
    })

    once('a link leads nowhere when it is over, when the document is not valid, and when it was guessed', async () => {
      const world = open()
      const school = await concludedTranscript(await schoolAt(world))
      const { json } = verifier()
      const offer = async () => pathOf((await school.json('POST', `${school.path}/wallet-offers`)).body.url)
      const [early, suspended] = [await offer(), await offer()]
      await world.store.db.updateTable('wallet_offer').set({ expires_at: clock().toISOString() }).execute()
      expect((await json('POST', early)).body.code).toBe('offer-not-found')
      await world.store.db.updateTable('wallet_offer').set({ expires_at: '2999-01-01T00:00:00.000Z' }).execute()
      await school.json('POST', `${school.path}/cancellation`, { temporary: true, reason: 'x' })
      for (const method of ['GET', 'POST']) expect((await json(method, suspended)).body.code).toBe('offer-not-found')
      expect((await school.json('POST', `${school.path}/wallet-offers`)).body.code).toBe('invalid-transition')
      await school.json('POST', `${school.path}/restoration`, { reason: 'x' })
      expect((await json('POST', suspended)).status).toBe(200)
      expect((await json('POST', '/wallet/guess')).body.code).toBe('offer-not-found')
      const other = await organizationAt(world)
      for (const [method, name] of [
        ['GET', 'credential'],
        ['POST', 'wallet-offers'],
      ] as const)
        expect((await other.json(method, `${school.path}/${name}`)).body.code).toBe('academic-transcript-not-found')
      // Nobody who reads the table learns a link.
      const rows = await world.store.db.selectFrom('wallet_offer').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(suspended.split('/').at(-1))
    })

    test('links are removed some time after their end', async () => {
      const { store } = open()
      const school = await concludedTranscript(await schoolAt(open()))
      await school.json('POST', `${school.path}/wallet-offers`)
      const count = async () => (await store.db.selectFrom('wallet_offer').select('id').execute()).length
      expect(await count()).toBeGreaterThan(0)
      const early = clock()
      await store.db.updateTable('wallet_offer').set({ expires_at: early.toISOString() }).execute()
      await sweepOffers(store.db, early)
      expect(await count()).toBeGreaterThan(0)
      await sweepOffers(store.db, new Date(early.getTime() + 1))
      expect(await count()).toBe(0)
    })
  })
}
