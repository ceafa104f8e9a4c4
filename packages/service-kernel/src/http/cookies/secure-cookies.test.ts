import { describe, expect, test } from 'vitest'
import type { HttpSettings } from '../app-options.ts'
import { route } from '../route.ts'
import { serve } from '../serve.ts'
import { listen, testApp } from '../test-support/test-app.ts'
import { readCookie, setCookie } from './cookies.ts'
import { isSameOrigin } from './same-origin.ts'

const setting = route({ method: 'POST', path: '/set', summary: 'Sets cookies.', access: 'anonymous', status: 204 })
const reading = route({
  method: 'GET',
  path: '/read',
  summary: 'Reads a cookie.',
  access: 'anonymous',
  produces: 'text/plain',
})

/** A service whose route sets two cookies, and whose hook a third, as the renewal of sessions does. */
async function cookieService(settings: HttpSettings) {
  const { app } = await testApp({ settings, exactCookies: ['named'] })
  app.addHook('onSend', async (_request, reply) => {
    if (reply.hasHeader('set-cookie')) reply.header('set-cookie', cookie('hook', '3'))
  })
  serve(app, setting, ({ reply }) => void reply.header('set-cookie', [cookie('own', '1'), cookie('named', '2')]))
  serve(app, reading, ({ request }) =>
    ['own', 'named', '__Host-own'].map((name) => readCookie(request.raw.headers.cookie, name) ?? '-').join(),
  )
  const url = await listen(app)
  return {
    set: async (headers: Record<string, string> = {}) =>
      (await fetch(`${url}/set`, { method: 'POST', headers })).headers.getSetCookie(),
    read: async (sent: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/read`, { headers: { ...headers, cookie: sent } })).text(),
  }
}

const cookie = (name: string, value: string) => setCookie(name, value, { sameSite: 'Lax', maxAgeSeconds: 5 })
const REST = 'Path=/; Max-Age=5; HttpOnly; SameSite=Lax'
const plain = [`own=1; ${REST}`, `named=2; ${REST}`, `hook=3; ${REST}`]
const secure = [`__Host-own=1; ${REST}; Secure`, `named=2; ${REST}; Secure`, `__Host-hook=3; ${REST}; Secure`]
const https = { 'x-forwarded-proto': 'https' }

describe('cookies', () => {
  test('are Secure and for this host alone behind a trusted proxy that says https', async () => {
    const service = await cookieService({ trustedProxies: ['127.0.0.1'] })
    expect(await service.set(https)).toEqual(secure)
    expect(await service.set({ 'x-forwarded-proto': 'http' })).toEqual(plain)
    expect(await service.set()).toEqual(plain)
  })

  test('do not believe anybody else about it', async () => {
    expect(await (await cookieService({})).set(https)).toEqual(plain)
    expect(await (await cookieService({ trustedProxies: ['192.0.2.1'] })).set(https)).toEqual(plain)
  })

  test('are so with an https public URL, whatever the connection is', async () => {
    expect(await (await cookieService({ securePublicUrl: true })).set()).toEqual(secure)
  })

  test('are read over TLS only if they were set over TLS, but for names the service must keep', async () => {
    const service = await cookieService({ trustedProxies: ['127.0.0.1'] })
    expect(await service.read('own=planted; __Host-own=ours; named=kept', https)).toBe('ours,kept,-')
    expect(await service.read('own=planted', https)).toBe('-,-,-')
    expect(await service.read('own=ours; named=kept')).toBe('ours,kept,-')
  })
})

describe('a changing call with an origin', () => {
  const call = (origin: string, protocol: 'http' | 'https', host = 'sign.example') =>
    ({ method: 'POST', headers: { origin }, host, protocol }) as const

  test.each([
    ['https://sign.example', call('https://sign.example', 'https'), true],
    ['https://sign.example with its port', call('https://sign.example', 'https', 'sign.example:443'), true],
    ['a page of the same name without TLS', call('http://sign.example', 'https'), false],
    ['another host', call('https://evil.example', 'https'), false],
    ['another port', call('https://sign.example:8443', 'https'), false],
    ['a plain service', call('http://sign.example', 'http'), true],
    ['a proxy that nobody listed', call('https://sign.example', 'http'), true],
    ['no address', call('null', 'https'), false],
  ])('from %s', (_from, request, allowed) => {
    expect(isSameOrigin(request as never, undefined)).toBe(allowed)
  })

  test('may come from the public URL, and from the address behind it', () => {
    const at = 'https://public.example/base'
    expect(isSameOrigin(call('https://public.example', 'http') as never, at)).toBe(true)
    expect(isSameOrigin(call('http://sign.example', 'http') as never, at)).toBe(true)
    expect(isSameOrigin(call('http://public.example', 'http', 'public.example') as never, at)).toBe(false)
  })
})
