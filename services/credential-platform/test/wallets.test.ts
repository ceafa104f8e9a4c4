// Degrees and transcripts in wallets: signed by a key of the institution, verified by strangers.
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { databases, organizationAt, sharedPlatform } from './test-support/credential-world.ts'
import { concludedDegree, concludedTranscript, schoolAt } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { placeOf } from './test-support/processes.ts'
import { credentialOf, expectAchievement, PUBLIC_URL, pathOf, verifierAt } from './test-support/wallet.ts'

for (const database of databases) {
  describe(`wallets on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const verifier = () => verifierAt(open().baseUrl)

    test('a degree is verified by strangers, and its bits follow what becomes of it', async () => {
      const school = await schoolAt(open())
      const { path } = await concludedDegree(school)
      const oneIsEnough = { requireTwoPeople: false, annulledListDays: 30 }
      await school.json('PUT', `/api/institutes/${school.instituteId}/registry-settings`, oneIsEnough)
      const { verified, statusOf, expectXml } = verifier()
      const credential = await verified(await credentialOf(school, path))
      expectAchievement(credential)
      await expectXml(credential)
      expect(credential.issuer).toMatchObject({
        id: `did:web:diplomas.example.edu.br:verificar:issuers:${school.instituteId}`,
        url: PUBLIC_URL,
      })
      expect(JSON.stringify(credential)).not.toContain('52998224725')
      const changes = [
        [undefined, {}, { revocation: false, suspension: false }],
        ['cancellation', { temporary: true, reason: 'x' }, { revocation: false, suspension: true }],
        ['restoration', { reason: 'x' }, { revocation: false, suspension: false }],
        ['cancellation', { reason: 'x', cancellationReason: 'ErroDeFato' }, { revocation: true, suspension: false }],
      ] as const
      for (const [change, body, bits] of changes) {
        if (change) expect((await school.json('POST', `${path}/${change}`, body)).status).toBe(200)
        expect(await statusOf(credential)).toEqual(bits)
      }
      const late = await school.json('GET', `${path}/credential`)
      expect([late.status, late.body.code]).toEqual([409, 'invalid-transition'])
    })

    test('a key that is replaced still counts, a revoked one does not; the identifier stays', async () => {
      const school = await concludedTranscript(await schoolAt(open()))
      const keysPath = `/api/institutes/${school.instituteId}/wallet-keys`
      expect((await school.json('GET', keysPath)).body).toEqual({ did: null, keys: [] })
      const first = await credentialOf(school, school.path)
      const { verified } = verifier()
      const { issuer, credentialStatus } = await verified(first)
      // The institution moves: what it signed before leads to where it was.
      const { body: institute } = await school.json('GET', `/api/institutes/${school.instituteId}`)
      const { id: _, subscriptionId: __, creationDate: ___, updateDate: ____, ...fields } = institute
      const moved = { ...fields, publicUrl: 'https://outra.example.edu.br' }
      expect((await school.json('PUT', `/api/institutes/${school.instituteId}`, moved)).status).toBe(200)
      const rotated = await school.json('POST', keysPath)
      expect(rotated.status).toBe(201)
      expect(rotated.body.did).toBe(issuer.id)
      expect(rotated.body.keys.map(({ state }: { state: string }) => state).toSorted()).toEqual(['Current', 'Retired'])
      const second = await verified(await credentialOf(school, school.path))
      expect(second.credentialStatus).toEqual(credentialStatus)
      expect(second.issuer.id).toBe(issuer.id)
      expect((await verified(first)).issuer.id).toBe(issuer.id)
      const { id } = rotated.body.keys.find(({ state }: { state: string }) => state === 'Retired')
      expect((await school.json('DELETE', `${keysPath}/x`)).body.code).toBe('wallet-key-not-found')
      expect((await school.json('DELETE', `${keysPath}/${id}`)).status).toBe(204)
      await expect(verified(first)).rejects.toThrow('not one of the issuer')
      const other = await organizationAt(open())
      expect((await other.json('POST', keysPath)).status).toBe(404)
      const gerente = await school.application('Gerente')
      expect((await gerente.json('POST', keysPath)).status).toBe(403)
    })

    test('a list is known by its ETag until a bit changes or its time passes, and ends before it is old', async () => {
      const school = await concludedTranscript(await schoolAt(open()))
      const { verified, listOf, call } = verifier()
      const credential = await verified(await credentialOf(school, school.path))
      const entry = credential.credentialStatus.find(({ statusPurpose }) => statusPurpose === 'suspension')!
      const path = pathOf(entry.statusListCredential)
      const etag = async () => (await call('GET', path)).headers.get('etag')!
      const before = await etag()
      expect((await call('GET', path, { headers: { 'if-none-match': before } })).status).toBe(304)
      await school.json('POST', `${school.path}/cancellation`, { temporary: true, reason: 'x' })
      expect((await call('GET', path, { headers: { 'if-none-match': before } })).status).toBe(200)
      const list = await listOf(entry)
      const lasting = Date.parse(list.validUntil as string) - clock().getTime()
      expect(lasting).toBeGreaterThan(18 * HOUR - 1)
      expect(lasting).toBeLessThanOrEqual(DAY)
      for (const wrong of [
        path.replace(/1$/, '2'),
        path.replace('suspension', 'other'),
        path.replace(/1$/, '0'),
        `/issuers/${crypto.randomUUID()}/status-lists/suspension/1`,
        `/issuers/${crypto.randomUUID()}/did.json`,
      ])
        expect([400, 404]).toContain((await call('GET', wrong)).status)
    })
  })

  describe(`wallets by processes on ${database}`, () => {
    test('two processes give a document one place, one salt and one key, and read each other', async () => {
      const { start, store } = await placeOf(database)
      const [one, two] = [await start(), await start()]
      const patient = { interval: 50 }
      await vi.waitUntil(async () => (await one.system.call('GET', '/api/subscriptions')).status === 200, patient)
      const school = await schoolAt(one)
      const others = callerOf(two.baseUrl, { 'X-Api-Key': school.apiKey })
      await vi.waitUntil(async () => (await others.call('GET', '/api/institutes')).status === 200, patient)
      const made = [await concludedTranscript(school), await concludedTranscript(school)]
      const asked = made.flatMap(({ path }) =>
        [school, others, school, others].map(async (caller) => ({ path, token: await credentialOf(caller, path) })),
      )
      const tokens = await Promise.all(asked)
      const entries = await Promise.all(
        tokens.map(async ({ path, token }, at) => {
          const { credentialStatus, credentialSubject } = await verifierAt(at % 2 ? one.baseUrl : two.baseUrl).verified(
            token,
          )
          return JSON.stringify([path, credentialStatus, credentialSubject.identifier])
        }),
      )
      expect(new Set(entries).size).toBe(2)
      expect(await store.db.selectFrom('wallet_key').select('id').execute()).toHaveLength(1)
      expect(await store.db.selectFrom('wallet_entry').select('position').execute()).toHaveLength(2)
    })
  })
}
