import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { formattedCpf } from '@chancela/signature-engine/x509'
import { refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { holder, running } from './test-support/pki.ts'
import { databases, sharedSessionServer, testOnce } from './test-support/session-world.ts'
import { newCpf, PIN } from './test-support/vault.ts'

/** The PKCS#12 of a holder, as the page sends it. */
const fileOf = (label: string, over: object = {}) => ({
  file: running.pki.pkcs12(running.pki.certificate(label), { password: PIN }).toString('base64'),
  pin: PIN,
  ...over,
})

for (const database of databases) {
  describe(`certificates at the console on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)
    /** Imports a certificate for a new CPF. */
    const bring = async (browser: Awaited<ReturnType<typeof signedIn>>, label: string) => {
      const { status, body } = await browser.call('POST', '/api/certificates', fileOf(label, { cpf: newCpf() }))
      expect(status).toBe(200)
      return body
    }
    const listed = async (browser: Awaited<ReturnType<typeof signedIn>>, query: string) =>
      (await browser.call('GET', `/api/certificates?${query}`)).body

    test('a file that its PIN opens goes into the vault and is judged', async () => {
      const browser = await signedIn(world())
      const { status, body } = await browser.call('POST', '/api/certificates', fileOf('bruno-lima'))
      const { cpf, name, email } = holder('bruno-lima')
      expect(status).toBe(200)
      const now = world().clock().toISOString()
      expect(body).toEqual({
        id: expect.any(String),
        cpf,
        custody: 'vault',
        workstation: null,
        token: null,
        pin: null,
        subjectName: name.toUpperCase(),
        subjectCpf: cpf,
        issuer: expect.stringContaining('AC Pessoas Demo'),
        serialNumber: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        email,
        notBefore: expect.any(String),
        notAfter: expect.any(String),
        status: 'ACTIVE',
        reason: null,
        finding: null,
        checkedAt: now,
        createdAt: now,
      })
      expect(await listed(browser, `cpf=${cpf}`)).toEqual({ items: [body], nextCursor: null })
      expect(await listed(browser, `cpf=${encodeURIComponent(formattedCpf(cpf))}`)).toMatchObject({ items: [body] })
      expect(refusal(await browser.call('POST', '/api/certificates', fileOf('bruno-lima')))).toEqual([
        409,
        'CERTIFICATE_ALREADY_HELD',
      ])
    })

    once('a certificate that may not sign is held with the reason', async () => {
      const browser = await signedIn(world())
      for (const [label, status] of [
        ['revoked', 'REVOKED'],
        ['expired', 'EXPIRED'],
        ['under-unknown-root', 'UNTRUSTED'],
      ] as const) {
        const { body } = await browser.call('POST', '/api/certificates', fileOf(label, { cpf: newCpf() }))
        expect([label, body.status, body.reason]).toEqual([label, status, expect.any(String)])
        const { items } = await listed(browser, `status=${status}&cpf=${body.cpf}`)
        expect(items).toHaveLength(1)
        expect((await listed(browser, `status=ACTIVE&cpf=${body.cpf}`)).items).toEqual([])
      }
    })

    once('what is wrong with a file is told', async () => {
      const browser = await signedIn(world())
      const refused = async (body: object) => refusal(await browser.call('POST', '/api/certificates', body))
      expect(await refused(fileOf('bruno-lima', { pin: 'another' }))).toEqual([422, 'CERTIFICATE_PIN_WRONG'])
      expect(await refused({ file: Buffer.from('no file').toString('base64'), pin: PIN })).toEqual([
        422,
        'CERTIFICATE_FILE_INVALID',
      ])
      const nameless = { kind: 'person', name: 'Joana Reis', born: '1990-01-31' } as const
      const { pki } = running
      const { label } = await pki.issueHolder(`nameless-${database}`, nameless, {}, pki.certificate('ana-souza').key)
      expect(await refused(fileOf(label))).toEqual([422, 'CERTIFICATE_CPF_MISSING'])
      expect(await refused(fileOf('bruno-lima', { cpf: '12345678900' }))).toEqual([400, 'INVALID_REQUEST'])
      expect(await refused({ file: 'no base64!', pin: PIN })).toEqual([400, 'INVALID_REQUEST'])
      expect(await refused({ file: '', pin: PIN })).toEqual([400, 'INVALID_REQUEST'])
      expect(await refused({ ...fileOf('bruno-lima'), file: 'A'.repeat(1_400_004) })).toEqual([400, 'INVALID_REQUEST'])
      expect(await refused({ ...fileOf('bruno-lima'), file: 'A'.repeat(1_600_000) })).toEqual([413, 'INVALID_REQUEST'])
    })

    test('another file takes the place of one; the former is held no more', async () => {
      const browser = await signedIn(world())
      const former = await bring(browser, 'ana-souza')
      const { status, body } = await browser.call('PUT', `/api/certificates/${former.id}/file`, fileOf('helena-prado'))
      expect([status, body.cpf, body.subjectName]).toEqual([200, former.cpf, 'Helena Gonçalves Prado'])
      expect((await listed(browser, `cpf=${former.cpf}`)).items).toEqual([body])
      const again = await browser.call('PUT', `/api/certificates/${former.id}/file`, fileOf('helena-prado'))
      expect(refusal(again)).toEqual([404, 'CERTIFICATE_NOT_FOUND'])
    })

    test('a removed certificate is gone, and nothing of its file stays', async () => {
      const browser = await signedIn(world())
      const { id, cpf } = await bring(browser, 'ana-souza')
      expect((await browser.call('DELETE', `/api/certificates/${id}`)).status).toBe(204)
      expect((await listed(browser, `cpf=${cpf}`)).items).toEqual([])
      const row = await world().store.db.selectFrom('certificate').selectAll().where('id', '=', id).executeTakeFirst()
      expect(row?.sealed_file).toBeNull()
      for (const [method, path] of [
        ['DELETE', `/api/certificates/${id}`],
        ['POST', `/api/certificates/${id}/recheck`],
      ] as const)
        expect(refusal(await browser.call(method, path))).toEqual([404, 'CERTIFICATE_NOT_FOUND'])
    })

    test('a certificate at a workstation is neither removed nor replaced here', async () => {
      const browser = await signedIn(world())
      const { id, cpf } = await bring(browser, 'ana-souza')
      const workstation = { name: 'recepção', cpfs: [cpf] }
      const { body: added } = await browser.call('POST', '/api/workstations', workstation)
      await world()
        .store.db.updateTable('certificate')
        .set({ custody: 'workstation', workstation_id: added.workstation.id })
        .where('id', '=', id)
        .execute()
      const refused = [
        await browser.call('DELETE', `/api/certificates/${id}`),
        await browser.call('PUT', `/api/certificates/${id}/file`, fileOf('helena-prado')),
      ]
      for (const answer of refused) expect(refusal(answer)).toEqual([409, 'CERTIFICATE_AT_WORKSTATION'])
      const { items } = await listed(browser, `custody=workstation&cpf=${cpf}`)
      expect(items).toMatchObject([{ id, workstation: { id: added.workstation.id, name: 'recepção' } }])
      expect((await listed(browser, `custody=vault&cpf=${cpf}`)).items).toEqual([])
    })

    test('a certificate is judged again when asked', async () => {
      const browser = await signedIn(world())
      const { id } = await bring(browser, 'ana-souza')
      world().clock.advance(HOUR)
      const { body } = await browser.call('POST', `/api/certificates/${id}/recheck`)
      expect([body.status, body.checkedAt]).toEqual(['ACTIVE', world().clock().toISOString()])
    })

    test('the list goes by expiry, page by page, and finds names without accents and wildcards', async () => {
      const browser = await signedIn(world())
      const { items: before } = await listed(browser, 'limit=500')
      const cpf = newCpf()
      for (const label of ['helena-prado', 'ana-souza', 'bruno-lima', 'expired'])
        await browser.call('POST', '/api/certificates', fileOf(label, { cpf }))
      const { items: all } = await listed(browser, 'limit=500')
      expect(all).toHaveLength(before.length + 4)
      expect(all.map((one: { notAfter: string }) => one.notAfter)).toEqual(
        all.map((one: { notAfter: string }) => one.notAfter).toSorted(),
      )
      const pages: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: { items: unknown[]; nextCursor: string | null } = await listed(
          browser,
          `limit=2&cpf=${cpf}${cursor && `&cursor=${cursor}`}`,
        )
        expect(page.items.length).toBeLessThanOrEqual(2)
        pages.push(...page.items)
        cursor = page.nextCursor
      }
      expect(pages).toEqual((await listed(browser, `limit=500&cpf=${cpf}`)).items)
      expect((await listed(browser, `cpf=${cpf}&q=GONCALVES`)).items).toMatchObject([
        { subjectName: 'Helena Gonçalves Prado' },
      ])
      expect((await listed(browser, `cpf=${cpf}&q=${encodeURIComponent('gonçalves p')}`)).items).toHaveLength(1)
      for (const wildcard of ['%', '_', '\\']) {
        expect((await listed(browser, `cpf=${cpf}&q=${encodeURIComponent(wildcard)}`)).items).toEqual([])
      }
      for (const wrong of ['x', Buffer.from('{}').toString('base64url'), Buffer.from('["a"]').toString('base64url')])
        expect(refusal(await browser.call('GET', `/api/certificates?cursor=${wrong}`))).toEqual([
          400,
          'INVALID_REQUEST',
        ])
    })

    test('the status is that of now, although nobody has judged it meanwhile', async () => {
      const browser = await signedIn(world())
      const { id, cpf } = await bring(browser, 'ana-souza')
      const set = (changes: object) =>
        world().store.db.updateTable('certificate').set(changes).where('id', '=', id).execute()
      await set({ good_at: plus(world().clock(), -5 * HOUR).toISOString() })
      expect((await listed(browser, `cpf=${cpf}&status=STALE`)).items).toMatchObject([{ id, status: 'STALE' }])
      await set({ not_after: plus(world().clock(), -DAY).toISOString() })
      expect((await listed(browser, `cpf=${cpf}&status=EXPIRED`)).items).toMatchObject([{ id, status: 'EXPIRED' }])
      expect((await listed(browser, `cpf=${cpf}&status=ACTIVE`)).items).toEqual([])
    })

    test('who brought, replaced and removed is told; the PIN is nowhere', async () => {
      const browser = await signedIn(world())
      const first = await bring(browser, 'ana-souza')
      const { body: second } = await browser.call('PUT', `/api/certificates/${first.id}/file`, fileOf('helena-prado'))
      await browser.call('DELETE', `/api/certificates/${second.id}`)
      const told = async (id: string) =>
        (await browser.call('GET', `/api/events?q=${id}`)).body.items.map(
          ({ type, actor }: { type: string; actor: string }) => [type, actor],
        )
      expect(await told(first.id)).toEqual([['CertificateImported', browser.email]])
      expect(await told(second.id)).toEqual([
        ['CertificateRemoved', browser.email],
        ['CertificateReplaced', browser.email],
      ])
      const { db } = world().store
      const rows = [
        await db.selectFrom('certificate').selectAll().execute(),
        await db.selectFrom('audit_event').selectAll().execute(),
      ]
      expect(JSON.stringify(rows) + world().log()).not.toContain(PIN)
    })
  })
}
