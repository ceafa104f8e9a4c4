// What the roles of the identity provider open, over the whole route table of the running service.
import { afterAll, describe, expect, test } from 'vitest'
import { idpAccess } from '../src/routes/idp-access.ts'
import { idpSettings, newProvider, openFor, signedInAs } from './test-support/idp.ts'
import { startWorld } from './test-support/operations-world.ts'
import { API_KEY, databases, startBatchSigner } from './test-support/running-service.ts'

const provider = await newProvider()
afterAll(() => provider.close())

const settings = { Auth: { ApiKey: API_KEY, Idp: idpSettings(provider) } }

/** Whom a route is for besides operators. A scheme that is not among these is tried as one of operators. */
const FOR_OTHERS: ReadonlySet<string | undefined> = new Set(['anonymous', 'approver'])

const withIds = (path: string): string => path.replaceAll(/\{\w+\}/g, crypto.randomUUID())

for (const database of databases)
  describe(`the routes of operators on ${database}`, () => {
    test('are closed to an approver, one and all, and open to an administrator', async () => {
      const { full, routes } = await startBatchSigner({ database, settings })
      openFor(provider, full.baseUrl)
      const operatorRoutes = routes.filter(({ access }) => !FOR_OTHERS.has(access))
      expect(operatorRoutes.length).toBeGreaterThan(50)
      const approver = await signedInAs(full.baseUrl, 'rui')
      expect([...approver.jar.keys()]).toEqual(['chancela-batch-idp'])
      const opened: string[] = []
      for (const { method, path } of operatorRoutes) {
        const answer = await approver.visit(method, withIds(path))
        if (answer.status !== 401) opened.push(`${method} ${path}: ${answer.status}`)
        else expect(await answer.json()).toMatchObject({ code: 'auth.invalid-credentials' })
      }
      expect(opened).toEqual([])
      const administrator = await signedInAs(full.baseUrl, 'ana')
      for (const { method, path } of operatorRoutes.filter(({ method }) => method === 'GET')) {
        const answer = await administrator.visit(method, withIds(path))
        // A stream of news never ends by itself.
        await answer.body?.cancel()
        expect([path, answer.status]).not.toEqual([path, 401])
      }
    })
  })

test('the approver of a call is whom the provider gave that role, with the session at the provider', async () => {
  const world = await startWorld({ settings })
  const idp = idpAccess(world.context)!
  const asked = (cookie: string | undefined, headers: Record<string, string> = {}) => {
    const given = { cookie: `chancela-batch-idp=${cookie}`, ...headers }
    const call = {
      method: headers['sec-fetch-site'] ? 'POST' : 'GET',
      headers: given,
      host: 'x',
      raw: { headers: given },
    }
    return idp.findApprover(call as unknown as Parameters<typeof idp.findApprover>[0])
  }
  const cookieOf = async (login: string) => (await signedInAs(world.baseUrl, login)).jar.get('chancela-batch-idp')

  openFor(provider, world.baseUrl)
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-/)
  const eva = { email: 'eva@example.com', method: 'IdpEmail', sessionId: uuid }
  expect(await asked(await cookieOf('eva'))).toEqual(eva)
  expect(await asked(await cookieOf('bia'))).toEqual({ ...eva, email: 'bia@example.com' })
  expect(await asked(await cookieOf('ana'))).toBeUndefined()
  expect(await asked('nonsense')).toBeUndefined()

  openFor(provider, world.baseUrl, { tellsSession: true })
  const rui = await signedInAs(world.baseUrl, 'rui')
  const cookie = rui.jar.get('chancela-batch-idp')
  const found = await asked(cookie)
  expect(found).toEqual({ email: 'rui@example.com', method: 'IdpEmail', sessionId: expect.any(String) })
  expect(found).not.toEqual({ ...found, sessionId: uuid })
  expect(await asked(cookie, { 'sec-fetch-site': 'cross-site' })).toBeUndefined()
  await rui.visit('POST', '/api/auth/logout')
  expect(await asked(cookie)).toBeUndefined()
})
