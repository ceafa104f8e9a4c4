import { openBrowser, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../serve.ts'
import { listen, testApp } from '../test-support/test-app.ts'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

async function referencedService(): Promise<string> {
  const { app } = await testApp({
    service: { name: 'test', title: 'Signing <Sessions>', version: '1.2.3' },
    openApi: { path: '/openapi/v1.json', referencePath: '/scalar/v1' },
  })
  const open = {
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Opens a signing session.',
    answer: Type.String(),
  } as const
  serve(app, { ...open, body: Type.Object({ cpf: Type.String() }), refusals: ['NotAllowed'] }, () => 'opened')
  return listen(app)
}

const nothingWrong = ({ outsideRequests, errors, policyViolations }: WatchedPage): void => {
  expect({ outside: outsideRequests(), errors, policyViolations }).toEqual({
    outside: [],
    errors: [],
    policyViolations: [],
  })
}

describe('the reference page', () => {
  test('shows the operations of the service, and asks nobody but the service', async () => {
    const url = await referencedService()
    const watched = await browser.newPage()
    await watched.page.goto(`${url}/scalar/v1`)
    await watched.page.getByRole('heading', { name: 'Opens a signing session.' }).waitFor()
    // The search of this page once called the vendor's registry.
    await watched.page.keyboard.press('Control+k')
    await watched.page.keyboard.type('signing')
    await watched.page.getByRole('option', { name: /Opens a signing session/ }).waitFor()
    expect(await watched.page.textContent('body')).toContain('/v1/sessions')
    expect(await watched.page.title()).toBe('Signing <Sessions>')
    expect(watched.requests).toEqual(
      expect.arrayContaining([
        `${url}/scalar/v1`,
        `${url}/openapi/v1.json`,
        expect.stringContaining('/scalar/v1/scalar-'),
      ]),
    )
    nothingWrong(watched)
  })

  test('its form calls the service itself', async () => {
    const url = await referencedService()
    const watched = await browser.newPage()
    await watched.page.goto(`${url}/scalar/v1`)
    await watched.page
      .getByRole('button', { name: /test request/i })
      .first()
      .click()
    const called = watched.page.waitForResponse(`${url}/v1/sessions`)
    await watched.page.getByRole('button', { name: /^send/i }).first().click()
    expect((await called).status()).toBe(401)
    expect([watched.outsideRequests(), watched.policyViolations]).toEqual([[], []])
  })

  test('is answered with and without a trailing slash, and its script may be kept', async () => {
    const url = await referencedService()
    const [plain, slashed] = await Promise.all(
      ['', '/'].map((end) => fetch(`${url}/scalar/v1${end}`).then((page) => page.text())),
    )
    expect(plain).toBe(slashed)
    const [, path] = /src="([^"]+)"/.exec(plain!)!
    const script = await fetch(url + path)
    expect([script.status, script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    expect((await script.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000)
  })

  test('only the page itself is allowed scripts', async () => {
    const url = await referencedService()
    const policy = async (path: string) => (await fetch(url + path)).headers.get('content-security-policy')
    expect(await policy('/scalar/v1')).toContain("script-src 'self'")
    expect(await policy('/openapi/v1.json')).toBe("default-src 'none'; frame-ancestors 'none'")
  })
})
