import { expect, test } from 'vitest'
import { authUrl, exchange, holderOf, later, provider, useProvider } from './test-support/psc-client.ts'

useProvider()

const ask = async (more: Record<string, string> = {}) => {
  const { url, verifier } = authUrl({
    redirect_uri: 'push://',
    login_hint: holderOf('ana-souza').identifier,
    ...more,
  })
  const answer = await fetch(url, { redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), verifier }
}

const poll = async (code: string) => {
  const address = `${new URL(provider.psc.baseUrl).origin}/valid/api/v1/trusted-services/authentications?code=${code}`
  const answer = await fetch(address)
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const asked = async () => {
  provider.quirks.push = true
  const { text, verifier } = await ask()
  return { code: /^code=([\w-]{36})$/.exec(text)![1]!, verifier }
}

test('a holder who confirms on the phone gives a token that is exchanged like a code, with the same redirect URI', async () => {
  const { code, verifier } = await asked()
  expect(await poll(code)).toEqual({ status: 304, body: undefined })
  provider.confirmPush('ana-souza', 'approve')
  const { status, body } = await poll(code)
  expect([status, Object.keys(body)]).toEqual([200, ['authorizationToken', 'redirectUrl']])
  expect((await exchange(body.authorizationToken, verifier, { redirect_uri: 'push://' })).status).toBe(200)
  expect((await poll(code)).status).toBe(400)
  expect(() => provider.confirmPush('ana-souza', 'approve')).toThrow('nothing to confirm')
})

test('a denial is told once, and nobody waits longer than two minutes', async () => {
  const { code } = await asked()
  provider.confirmPush('ana-souza', 'deny')
  expect(await poll(code)).toEqual({ status: 403, body: { error: 'access_denied' } })
  const late = await asked()
  later(120)
  expect((await poll(late.code)).status).toBe(400)
})

test('what to ask about, and that there is nothing yet, are said in several ways', async () => {
  Object.assign(provider.quirks, { push: true, pushAnswer: 'json', pushPending: 202 })
  const { code } = JSON.parse((await ask()).text)
  expect((await poll(code)).status).toBe(202)
})

test('no phone rings at a provider that has none, for nobody, or without a challenge', async () => {
  expect((await ask()).status).toBe(400)
  provider.quirks.push = true
  expect((await ask({ login_hint: '' })).status).toBe(400)
  expect((await ask({ login_hint: '00000000000' })).status).toBe(400)
  expect((await ask({ code_challenge: 'x' })).status).toBe(400)
})

test('the page of the phones takes the PIN, and tells when nothing waits', async () => {
  // Nothing of other tests is left on the phone.
  later(120)
  const { code } = await asked()
  const { identifier, pin } = holderOf('ana-souza')
  const address = `${new URL(provider.psc.baseUrl).origin}/push`
  const headers = { 'accept-language': 'en-US' }
  expect(await (await fetch(address, { headers })).text()).toContain(`hub asks ${holderOf('ana-souza').name}`)
  const decide = (fields: Record<string, string>) =>
    fetch(address, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  expect((await decide({ identifier, pin: '0' })).status).toBe(422)
  expect((await poll(code)).status).toBe(304)
  expect((await decide({ identifier, pin, decision: 'deny' })).status).toBe(302)
  expect((await poll(code)).status).toBe(403)
  expect(await (await decide({ identifier, pin })).text()).toContain('No request is waiting for this holder.')
})
