import { HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { API_KEY, sharedOperations, startWorld, type World } from './test-support/operations-world.ts'

const withoutKey = (headers: Record<string, string> = {}) => ({ headers: { 'X-API-Key': '', ...headers } })

/** A call without the key header at all. */
const bare = (world: World, method: string, path: string, init: RequestInit = {}) =>
  fetch(`${world.baseUrl}${path}`, { method, redirect: 'manual', ...init })

const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  body: new URLSearchParams(fields),
  headers,
})

/** Signs in and returns the cookie as a browser sends it back. */
async function signIn(world: World, ApiKey = API_KEY): Promise<string> {
  const answer = await bare(world, 'POST', '/api/auth/login', form({ ApiKey }))
  return answer.headers.get('set-cookie')!.split(';', 1)[0]!
}

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]

const fresh = sharedOperations()

describe('the API key', () => {
  test('in the header named by Auth:ApiKeyHeader satisfies the operator policy', async () => {
    const world = await startWorld({ settings: { Auth: { ApiKeyHeader: 'X-Operator' } } })
    const answer = await bare(world, 'GET', '/api/whoami', { headers: { 'x-operator': API_KEY } })
    expect(await answer.json()).toStrictEqual({
      operator: 'api-key',
      scheme: 'api-key',
      timeZone: 'America/Sao_Paulo',
    })
    expect((await world.call('GET', '/api/whoami')).status).toBe(401)
  })

  test('that is wrong or missing gives 401 auth.invalid-credentials', async () => {
    const world = await fresh()
    for (const headers of [{}, { 'X-API-Key': 'wrong' }, { 'X-API-Key': `${API_KEY}x` }, { 'X-API-Key': '' }])
      expect(
        await codeOf(await bare(world, 'GET', '/api/events', { headers: headers as Record<string, string> })),
      ).toStrictEqual([401, 'auth.invalid-credentials'])
  })

  test('that is empty at run time gives 401 auth.misconfigured, whatever the caller sends', async () => {
    const world = await startWorld({ settings: { Auth: { ApiKey: '' } } })
    for (const init of [{}, withoutKey(), { headers: { 'X-API-Key': 'anything' } }])
      expect(await codeOf(await bare(world, 'GET', '/api/events', init))).toStrictEqual([401, 'auth.misconfigured'])
  })

  test('with letters outside ASCII is compared by its bytes', async () => {
    const key = 'chave-do-operador-ção'
    const world = await startWorld({ settings: { Auth: { ApiKey: key } } })
    const sent = Buffer.from(key).toString('latin1')
    expect((await bare(world, 'GET', '/api/whoami', { headers: { 'X-API-Key': sent } })).status).toBe(200)
  })
})

describe('POST /api/auth/login', () => {
  test('sets the cookie and leads to ReturnUrl', async () => {
    const world = await fresh()
    const answer = await bare(
      world,
      'POST',
      '/api/auth/login',
      form({ ApiKey: API_KEY, ReturnUrl: '/jobs?status=Failed#top' }),
    )
    expect([answer.status, answer.headers.get('location')]).toStrictEqual([302, '/jobs?status=Failed#top'])
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(/^chancela-batch=v1\.[\w.-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(API_KEY)
  })

  test('sets a Secure cookie where the public address is https', async () => {
    const world = await startWorld({ settings: { Http: { PublicUrl: 'https://batch.example.com' } } })
    const answer = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: API_KEY }))
    // The name is the setting's, without the prefix that other cookies get (spec 2, Authentication).
    expect(answer.headers.get('set-cookie')).toMatch(/^chancela-batch=v1.*; Secure$/)
  })

  test('rewrites open-redirect attempts to /', async () => {
    const world = await fresh()
    const attempts = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/\t/evil.example',
      '/%0a/../\n//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'jobs',
      '',
    ]
    for (const ReturnUrl of attempts) {
      const answer = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: API_KEY, ReturnUrl }))
      expect([ReturnUrl, answer.headers.get('location')]).toStrictEqual([ReturnUrl, '/'])
    }
  })

  test('leads back to the login page with the reason when the key is wrong or none is configured', async () => {
    const world = await fresh()
    const wrong = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: 'wrong' }))
    expect([wrong.status, wrong.headers.get('location')]).toStrictEqual([302, '/login?error=invalid'])
    expect(wrong.headers.get('set-cookie')).toBeNull()
    const absent = await bare(world, 'POST', '/api/auth/login', { method: 'POST' })
    expect(absent.headers.get('location')).toBe('/login?error=invalid')
    const deep = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: 'wrong', ReturnUrl: '/jobs' }))
    expect(deep.headers.get('location')).toBe('/login?error=invalid&ReturnUrl=%2Fjobs')
    const closed = await startWorld({ settings: { Auth: { ApiKey: '' } } })
    const server = await bare(closed, 'POST', '/api/auth/login', form({ ApiKey: '' }))
    expect(server.headers.get('location')).toBe('/login?error=server')
  })

  test('answers a caller that accepts JSON with 204 or the problem', async () => {
    const world = await fresh()
    const json = { accept: 'application/json' }
    const right = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: API_KEY }, json))
    expect([right.status, right.headers.get('set-cookie') === null]).toStrictEqual([204, false])
    const wrong = await bare(world, 'POST', '/api/auth/login', form({ ApiKey: 'x' }, json))
    expect(await codeOf(wrong)).toStrictEqual([401, 'auth.invalid-credentials'])
  })

  test('is limited per address, so that keys cannot be guessed quickly', async () => {
    const world = await startWorld()
    const statuses: number[] = []
    for (let n = 0; n < 21; n++)
      statuses.push((await bare(world, 'POST', '/api/auth/login', form({ ApiKey: `guess-${n}` }))).status)
    expect(statuses).toStrictEqual([...Array(20).fill(302), 429])
  })
})

describe('the cookie', () => {
  test('satisfies the operator policy as the operator', async () => {
    const world = await fresh()
    const cookie = await signIn(world)
    const answer = await bare(world, 'GET', '/api/whoami', { headers: { cookie: `other=1; ${cookie}` } })
    expect(await answer.json()).toMatchObject({ operator: 'operator', scheme: 'cookie' })
  })

  test('lasts Auth:SessionHours without calls and is extended by calls', async () => {
    const world = await fresh()
    let cookie = await signIn(world)
    for (let hours = 0; hours < 24; hours += 6) {
      world.clock.advance(6 * HOUR)
      const answer = await bare(world, 'GET', '/api/whoami', { headers: { cookie } })
      expect(answer.status).toBe(200)
      cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!
    }
    const again = await bare(world, 'GET', '/api/whoami', { headers: { cookie } })
    expect(again.headers.get('set-cookie')).toBeNull()
    world.clock.advance(8 * HOUR)
    const expired = await bare(world, 'GET', '/api/whoami', { headers: { cookie } })
    expect(await codeOf(expired)).toStrictEqual([401, 'auth.invalid-credentials'])
  })

  test('ends with the sign-out for every copy of it, also over a restart, and no other session does', async () => {
    const world = await startWorld()
    const [cookie, other] = [await signIn(world), await signIn(world)]
    const foreign = await bare(world, 'POST', '/api/auth/logout', {
      headers: { cookie, origin: 'http://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.headers.get('set-cookie')).toBeNull()
    expect((await bare(world, 'GET', '/api/whoami', { headers: { cookie } })).status).toBe(200)
    const out = await bare(world, 'POST', '/api/auth/logout', { headers: { cookie } })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    const copy = await bare(world, 'GET', '/api/whoami', { headers: { cookie } })
    expect(await codeOf(copy)).toStrictEqual([401, 'auth.invalid-credentials'])
    expect(copy.headers.get('set-cookie')).toBeNull()
    expect((await bare(world, 'POST', '/api/auth/logout', { headers: { cookie } })).status).toBeLessThan(400)
    await world.stop()
    const again = await startWorld({ after: world })
    expect((await bare(again, 'GET', '/api/whoami', { headers: { cookie } })).status).toBe(401)
    expect((await bare(again, 'GET', '/api/whoami', { headers: { cookie: other } })).status).toBe(200)
  })

  test('ends after thirty days even if it is used all the time', async () => {
    const world = await startWorld({ settings: { Auth: { SessionHours: 168 } } })
    let cookie = await signIn(world)
    for (let day = 0; day < 29; day++) {
      world.clock.advance(24 * HOUR)
      const answer = await bare(world, 'GET', '/api/whoami', { headers: { cookie } })
      cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!
    }
    world.clock.advance(24 * HOUR)
    expect((await bare(world, 'GET', '/api/whoami', { headers: { cookie } })).status).toBe(401)
  })

  test('opens no more once the API key is changed', async () => {
    const world = await startWorld()
    const cookie = await signIn(world)
    await world.stop()
    const changed = await startWorld({ after: world, settings: { Auth: { ApiKey: 'another-key-of-the-house' } } })
    expect((await bare(changed, 'GET', '/api/whoami', { headers: { cookie } })).status).toBe(401)
    await changed.stop()
    const same = await startWorld({ after: world })
    expect((await bare(same, 'GET', '/api/whoami', { headers: { cookie } })).status).toBe(200)
  })

  test('that was tampered with, or is another cookie, is refused', async () => {
    const world = await fresh()
    const cookie = await signIn(world)
    const forged = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of [forged, 'chancela-batch=', 'chancela-batch=x', `other${cookie}`])
      expect((await bare(world, 'GET', '/api/whoami', { headers: { cookie: wrong } })).status).toBe(401)
  })

  test('changes something only from pages of this service', async () => {
    const world = await startWorld({ settings: { Http: { PublicUrl: 'https://batch.example.com' } } })
    const cookie = await signIn(world)
    const { host } = new URL(world.baseUrl)
    const pause = async (headers: Record<string, string>) =>
      (await bare(world, 'POST', '/api/pipeline/pause', { headers: { cookie, ...headers } })).status
    expect(await pause({ origin: 'https://evil.example' })).toBe(401)
    expect(await pause({ origin: 'null' })).toBe(401)
    expect(await pause({ 'sec-fetch-site': 'cross-site', origin: `http://${host}` })).toBe(401)
    expect(await pause({ 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await pause({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await pause({ origin: `http://${host}` })).toBe(200)
    expect(await pause({ origin: 'https://batch.example.com' })).toBe(200)
    expect(await pause({})).toBe(200)
    const read = await bare(world, 'GET', '/api/events', { headers: { cookie, origin: 'https://evil.example' } })
    expect(read.status).toBe(200)
  })
})

describe('the other routes of a session', () => {
  test('POST /api/auth/logout ends it and leads to the login page, unless another site asks', async () => {
    const world = await fresh()
    const answer = await bare(world, 'POST', '/api/auth/logout')
    expect([answer.status, answer.headers.get('location')]).toStrictEqual([302, '/login'])
    expect(answer.headers.get('set-cookie')).toMatch(/^chancela-batch=; Path=\/; Max-Age=0;/)
    const foreign = await bare(world, 'POST', '/api/auth/logout', { headers: { origin: 'https://evil.example' } })
    expect(foreign.headers.get('set-cookie')).toBeNull()
  })

  test('GET /api/auth/idp-login leads to the login page where no identity provider is configured', async () => {
    const world = await fresh()
    const answer = await bare(world, 'GET', '/api/auth/idp-login')
    expect([answer.status, answer.headers.get('location')]).toStrictEqual([302, '/login'])
  })
})

test('a header or cookie name that cannot be written refuses the start', async () => {
  await expect(startWorld({ settings: { Auth: { CookieName: 'a b' } } })).rejects.toThrow(/Auth:CookieName/)
  await expect(startWorld({ settings: { Auth: { ApiKeyHeader: 'X Key' } } })).rejects.toThrow(/Auth:ApiKeyHeader/)
})
