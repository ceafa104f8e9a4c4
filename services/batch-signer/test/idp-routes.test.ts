// Who an approver is whom the identity provider signed in; what the roles open, auth-matrix.test.ts says of every route.
import { afterAll, expect, test } from 'vitest'
import { idpAccess } from '../src/routes/idp-access.ts'
import { idpSettings, newProvider, openFor, signedInAs } from './test-support/idp.ts'
import { startWorld } from './test-support/operations-world.ts'
import { API_KEY } from './test-support/running-service.ts'

const provider = await newProvider()
afterAll(() => provider.close())

const settings = { Auth: { ApiKey: API_KEY, Idp: idpSettings(provider) } }

test('the approver of a call is whom the provider gave that role, with the session of this browser', async () => {
  const world = await startWorld({ settings })
  const idp = idpAccess(world.context)!
  const asked = (cookie: string | undefined, headers: Record<string, string> = {}) => {
    const given = { cookie: `chancela-batch-idp=${cookie}`, ...headers }
    const call = {
      method: headers['sec-fetch-site'] ? 'POST' : 'GET',
      headers: given,
      host: 'x',
      ip: '127.0.0.1',
      raw: { headers: given, socket: { remoteAddress: '127.0.0.1' } },
    }
    return idp.findApprover(call as unknown as Parameters<typeof idp.findApprover>[0])
  }
  const cookieOf = async (login: string) => (await signedInAs(world.baseUrl, login)).jar.get('chancela-batch-idp')

  openFor(provider, world.baseUrl)
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-/)
  const eva = { email: 'eva@example.com', method: 'IdpEmail', sessionId: uuid }
  expect(await asked(await cookieOf('eva'))).toMatchObject(eva)
  expect(await asked(await cookieOf('bia'))).toMatchObject({ ...eva, email: 'bia@example.com' })
  expect(await asked(await cookieOf('ana'))).toBeUndefined()
  expect(await asked('nonsense')).toBeUndefined()

  // The session at the provider is another, which several browsers may share.
  openFor(provider, world.baseUrl, { tellsSession: true })
  const rui = await signedInAs(world.baseUrl, 'rui')
  const cookie = rui.jar.get('chancela-batch-idp')
  const found = await asked(cookie)
  expect(found).toMatchObject({ email: 'rui@example.com', method: 'IdpEmail', sessionId: uuid })
  expect(await asked(cookie, { 'sec-fetch-site': 'cross-site' })).toBeUndefined()
  await rui.visit('POST', '/api/auth/logout')
  expect(await asked(cookie)).toBeUndefined()
})
