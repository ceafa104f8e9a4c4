import { expect, test } from 'vitest'
import { sharedOperations } from './test-support/operations-world.ts'

const fresh = sharedOperations()

const call = (baseUrl: string, method: string, path: string, init: RequestInit = {}) =>
  fetch(`${baseUrl}${path}`, { method, redirect: 'manual', ...init })

test('POST /api/culture keeps the language for a year and leads back', async () => {
  const { baseUrl } = await fresh()
  const answer = await call(baseUrl, 'POST', '/api/culture?culture=pt-BR&redirectUri=/jobs')
  expect([answer.status, answer.headers.get('location')]).toStrictEqual([302, '/jobs'])
  expect(answer.headers.get('set-cookie')).toBe(
    'chancela-culture=pt-BR; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
  )
})

test('takes a form as well, and rewrites a target that is not local', async () => {
  const { baseUrl } = await fresh()
  const body = new URLSearchParams({ culture: 'en-us', redirectUri: '//evil.example' })
  const answer = await call(baseUrl, 'POST', '/api/culture', { body })
  expect(answer.headers.get('location')).toBe('/')
  expect(answer.headers.get('set-cookie')).toMatch(/^chancela-culture=en-US;/)
})

test('refuses a culture other than en-US and pt-BR with culture.not-supported', async () => {
  const { baseUrl } = await fresh()
  for (const query of ['?culture=fr-FR', '?culture=', '']) {
    const answer = await call(baseUrl, 'POST', `/api/culture${query}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'culture.not-supported' }])
    expect(answer.headers.get('set-cookie')).toBeNull()
  }
})

test('the language is the chosen one, else the one the browser asks for, else en-US', async () => {
  const { baseUrl } = await fresh()
  const cultureOf = async (headers: Record<string, string>) =>
    ((await (await call(baseUrl, 'GET', '/api/culture', { headers })).json()) as { culture: string }).culture
  expect(await cultureOf({ cookie: 'chancela-culture=pt-BR', 'accept-language': 'en' })).toBe('pt-BR')
  expect(await cultureOf({ cookie: 'chancela-culture=xx', 'accept-language': 'pt' })).toBe('pt-BR')
  expect(await cultureOf({ 'accept-language': 'fr' })).toBe('en-US')
})
