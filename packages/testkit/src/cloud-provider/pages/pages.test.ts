import { expect, test } from 'vitest'
import { authUrl, holderOf, provider, useProvider } from '../test-support/psc-client.ts'

useProvider()

test('the login page names the client, knows the hint and speaks the language of the browser', async () => {
  const { identifier } = holderOf('ana-souza')
  const english = await open({ login_hint: identifier }, 'en-US')
  expect(english.html).toContain('hub asks for access to your cloud certificate.')
  expect(english.html).toContain(`value="${identifier}"`)
  expect((await open({}, 'pt-PT,en;q=0.5')).html).toContain('hub pede acesso ao seu certificado na nuvem.')
})

test('what a client sends is text on the page, never markup', async () => {
  const { html } = await open({ login_hint: '"><script>alert(1)</script>' })
  expect(html).not.toContain('<script')
  expect(html).toContain('&quot;&gt;&lt;script&gt;')
})

test('the consent page says what is authorized, for how long, with which certificates', async () => {
  const shown = await loggedIn('bruno-lima', { scope: 'signature_session', lifetime: '7200' })
  expect(shown).toContain('as many as needed, while the authorization lasts')
  expect(shown).toContain('It lasts 2 hours.')
  expect(shown.match(/type="radio"/g)).toHaveLength(3)
  expect(shown).toMatch(/value="bruno-lima-renewed" checked/)
  expect(shown).toContain('expired on')
  expect(await loggedIn('ana-souza', { scope: 'authentication_session' })).toContain('Nothing will be signed.')
})

test('three wrong PINs lock an account, for the right PIN too', async () => {
  const { url } = authUrl({})
  const holder = 'helena-prado'
  await expect(provider.walk(url, { holder, pin: '1' })).rejects.toThrow('2 tries are left.')
  await expect(provider.walk(url, { holder, pin: '2' })).rejects.toThrow('1 try is left.')
  await expect(provider.walk(url, { holder, pin: '3' })).rejects.toThrow('This account is locked')
  await expect(provider.walk(url, { holder })).rejects.toThrow('This account is locked')
})

test('nobody goes on from another browser, with a form of another site, or after the decision', async () => {
  const { url, cookie, form } = await open({})
  const fields = { form, decision: 'deny' }
  expect((await send(url, fields, '')).status).toBe(400)
  expect((await send(url, { ...fields, form: 'guess' }, cookie)).status).toBe(403)
  expect((await send(url, fields, cookie)).status).toBe(302)
  expect((await send(url, fields, cookie)).status).toBe(400)
})

test('pages run no script, are not framed and not kept', async () => {
  const { headers } = await open({})
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

/** The first page of an authorization request. */
async function open(asked: Record<string, string>, language = 'en-US') {
  const answer = await fetch(authUrl(asked).url, { redirect: 'manual' })
  const url = answer.headers.get('location')!
  const cookie = answer.headers.getSetCookie()[0]!.split(';', 1)[0]!
  const page = await fetch(url, { headers: { cookie, 'accept-language': language } })
  const html = await page.text()
  return { url, cookie, html, headers: page.headers, form: /name="form" value="([\w-]+)"/.exec(html)![1]! }
}

/** The page after the login. */
async function loggedIn(label: string, asked: Record<string, string>): Promise<string> {
  const { url, cookie, form } = await open(asked)
  const { identifier, pin } = holderOf(label)
  expect((await send(url, { form, identifier, pin }, cookie)).status).toBe(302)
  return (await fetch(url, { headers: { cookie, 'accept-language': 'en-US' } })).text()
}

const send = (url: string, fields: Record<string, string>, cookie: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers: { cookie }, redirect: 'manual' })
