import { browserOf, codeOf, newAdministrator, PASSWORD, refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'

for (const database of databases) {
  describe(`administrators on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    test('an administrator adds another, who signs in', async () => {
      const browser = await signedIn(world())
      const email = `${crypto.randomUUID()}@example.com`
      const wanted = { name: ' Rui Lima ', email: email.toUpperCase(), password: PASSWORD }
      const { status, body } = await browser.call('POST', '/api/administrators', wanted)
      expect(status).toBe(200)
      const listed = {
        id: expect.any(String),
        name: 'Rui Lima',
        email,
        role: 'administrator',
        secondFactor: false,
        lastSignInAt: null,
      }
      expect(body).toEqual({ ...listed, createdAt: world().clock().toISOString() })
      await browserOf(world()).signIn(email)
      const { body: all } = await browser.call('GET', '/api/administrators')
      expect(all).toContainEqual({ ...body, lastSignInAt: world().clock().toISOString() })
      expect(all).toContainEqual(expect.objectContaining({ email: browser.email, secondFactor: true }))
      expect(JSON.stringify(all)).not.toMatch(/scrypt|sealed|totp/)
    })

    once('what is wrong with a new administrator is named', async () => {
      const browser = await signedIn(world())
      const wanted = { name: 'Rui', email: 'rui@example.com', password: PASSWORD }
      for (const [field, value] of [
        ['name', ''],
        ['name', 'R\u202eui'],
        ['name', 'Rui\r\nBcc: x'],
        ['email', 'nobody'],
        ['password', 'short'],
      ] as const) {
        const { status, body } = await browser.call('POST', '/api/administrators', { ...wanted, [field]: value })
        expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST'])
        expect(JSON.stringify(body.error.details)).toContain(field)
      }
      const taken = await browser.call('POST', '/api/administrators', { ...wanted, email: browser.email.toUpperCase() })
      expect(refusal(taken)).toEqual([409, 'ADMINISTRATOR_EMAIL_TAKEN'])
    })

    test('whoever is removed is out at once', async () => {
      const browser = await signedIn(world())
      const other = await signedIn(world())
      expect((await browser.call('DELETE', `/api/administrators/${other.id}`)).status).toBe(204)
      expect((await other.call('GET', '/api/session')).status).toBe(401)
      const refused = await browserOf(world()).signIn(other.email, codeOf(other.secret, world().clock()))
      expect(refusal(refused)).toEqual([401, 'SIGN_IN_REFUSED'])
      expect(refusal(await browser.call('DELETE', `/api/administrators/${other.id}`))).toEqual([
        404,
        'ADMINISTRATOR_NOT_FOUND',
      ])
    })

    test('a lost authenticator app is forgotten; sessions that rested on it end', async () => {
      const browser = await signedIn(world())
      const other = await signedIn(world())
      expect((await browser.call('DELETE', `/api/administrators/${other.id}/second-factor`)).status).toBe(204)
      expect((await other.call('GET', '/api/session')).status).toBe(401)
      expect((await browserOf(world()).signIn(other.email)).body.secondFactor).toBe('to-enrol')
      expect(refusal(await browser.call('DELETE', '/api/administrators/nobody/second-factor'))).toEqual([
        404,
        'ADMINISTRATOR_NOT_FOUND',
      ])
    })

    test('what was done is told with who did it', async () => {
      const browser = await signedIn(world())
      const { id, email } = await newAdministrator(world())
      await browser.call('DELETE', `/api/administrators/${id}/second-factor`)
      await browser.call('DELETE', `/api/administrators/${id}`)
      const { body } = await browser.call('GET', `/api/events?q=${encodeURIComponent(email)}`)
      const subject = { kind: 'administrator', id }
      expect(body.items).toMatchObject([
        { type: 'AdministratorRemoved', actor: browser.email, address: '127.0.0.1', changes: { before: { email } } },
        { type: 'SecondFactorReset', actor: browser.email, subject },
        { type: 'AdministratorCreated', actor: 'operator', address: null, changes: { after: { email } }, subject },
      ])
    })

    test('what was done is told in the language of its reader, who is found by its words as well', async () => {
      const browser = await signedIn(world())
      const { email } = await newAdministrator(world())
      const told = async (query: string, headers: Record<string, string> = {}) => {
        const answer = await browser.visit('GET', `/api/events?type=AdministratorCreated&${query}`, { headers })
        const { items } = (await answer.json()) as { items: readonly { text: string; textLanguage: string }[] }
        return items.map(({ text, textLanguage }) => [text, textLanguage])
      }
      const q = `q=${encodeURIComponent(email)}`
      const english = [[`${email} was made an administrator.`, 'en-US']]
      const portuguese = [[`${email} tornou-se administrador.`, 'pt-BR']]
      expect(await told(q)).toEqual(english)
      expect(await told(`${q}&language=pt-BR`)).toEqual(portuguese)
      expect(await told(q, { 'accept-language': 'pt-BR,pt;q=0.9' })).toEqual(portuguese)
      expect(await told(`${q}&language=en-US`, { 'accept-language': 'pt-BR' })).toEqual(english)
      const words = `q=${encodeURIComponent(`${email} TORNOU-SE`)}`
      expect(await told(words)).toEqual(english)
      expect((await browser.call('GET', '/api/events?language=de')).status).toBe(400)
    })

    test('what another version recorded keeps its English sentence', async () => {
      const browser = await signedIn(world())
      const { store } = world()
      const id = `old-${browser.id}`
      await store.db
        .insertInto('audit_event')
        .values({
          ...{
            id,
            at: '2026-01-02T03:04:05.006Z',
            type: 'AdministratorRemoved',
            actor: 'operator',
            text: 'An old one.',
          },
          ...{ subject_kind: 'administrator', subject_id: id, code: null, data: null, address: null, changes: null },
          search_text: id,
        })
        .execute()
      const { body } = await browser.call('GET', `/api/events?q=${id}&language=pt-BR`)
      expect(body.items).toMatchObject([{ text: 'An old one.', textLanguage: 'en-US' }])
    })

    test('what was done is exported as a file, which is told as well', async () => {
      const browser = await signedIn(world())
      const { email } = await newAdministrator(world())
      const get = (path: string) => browser.visit('GET', path)
      const csv = await get('/api/events/export.csv')
      expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="?events-[\d-]+\.csv/)
      const text = Buffer.from(await csv.arrayBuffer()).toString('utf8')
      expect([csv.status, text]).toEqual([200, expect.stringMatching(/^\uFEFF"Data e hora/)])
      expect(text).toContain(`${email} tornou-se administrador.`)
      const jsonl = await (await get('/api/events/export.jsonl?from=2000-01-01T00:00:00Z&language=en-US')).text()
      const last = JSON.parse(jsonl.trimEnd().split('\n').at(-1)!)
      expect(last).toMatchObject({ type: 'AuditExported', actor: browser.email, address: '127.0.0.1' })
      expect(last.text).toBe('The events were exported as JSONL.')
      expect(await (await get('/api/events/export.jsonl?from=2999-01-01T00:00:00Z')).text()).toBe('')
      for (const wrong of ['from=yesterday', 'language=de', 'to=2026-01-01'])
        expect((await get(`/api/events/export.csv?${wrong}`)).status).toBe(400)
    })
  })

  describe(`the last administrator on ${database}`, () => {
    test('always stays', async () => {
      const world = await startSessionServer(database)
      const browser = await signedIn(world)
      expect(refusal(await browser.call('DELETE', `/api/administrators/${browser.id}`))).toEqual([
        422,
        'LAST_ADMINISTRATOR',
      ])
    })

    test('stays although two remove one another at once', async () => {
      const world = await startSessionServer(database)
      const browsers = [await signedIn(world), await signedIn(world)]
      const [first, second] = browsers as [(typeof browsers)[0], (typeof browsers)[0]]
      const statuses = await Promise.all([
        first.call('DELETE', `/api/administrators/${second.id}`),
        second.call('DELETE', `/api/administrators/${first.id}`),
      ])
      expect(statuses.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1)
      expect(await world.store.db.selectFrom('administrator').select('id').execute()).toHaveLength(1)
    })
  })
}
