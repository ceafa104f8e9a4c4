import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findChromium } from './chromium.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

async function serving(html: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, response) => {
    response
      .writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a watched page', () => {
  test('shows what it was given and finds nothing wrong with a quiet page', async () => {
    const watched = await browser.newPage()
    const url = await serving('<link rel="icon" href="data:,"><h1>Olá</h1>')
    await watched.page.goto(url)
    expect(await watched.page.textContent('h1')).toBe('Olá')
    expect([watched.errors, watched.policyViolations, watched.outsideRequests()]).toEqual([[], [], []])
    expect(watched.requests).toContain(url)
  })

  test('sees a request that tries to leave the machine', async () => {
    const watched = await browser.newPage()
    const blocked = watched.page.waitForEvent('requestfailed')
    await watched.page.goto(await serving('<link rel="icon" href="data:,"><img src="http://fonts.invalid/a.png">'))
    await blocked
    expect(watched.outsideRequests()).toEqual(['http://fonts.invalid/a.png'])
  })

  test('sees what a content security policy blocks', async () => {
    const watched = await browser.newPage()
    const url = await serving('<script>document.title = "ran"</script>', {
      'content-security-policy': "default-src 'none'",
    })
    await watched.page.goto(url)
    await expect.poll(() => watched.policyViolations).toContain('script-src-elem: inline')
    expect(await watched.page.title()).toBe('')
  })

  test('sees errors of the console and exceptions nobody caught', async () => {
    const watched = await browser.newPage()
    await watched.page.goto(await serving('<script>console.error("said"); throw new Error("thrown")</script>'))
    await expect.poll(() => watched.errors).toEqual(expect.arrayContaining(['said', 'Error: thrown']))
  })
})

describe('a missing Chromium', () => {
  test('is told with the package to install', () => {
    expect(() => findChromium({ PATH: '/nowhere' })).toThrow('apt-get install chromium')
  })

  test('is told with the variable that names it', () => {
    expect(() => findChromium({ CHANCELA_CHROMIUM: '/nowhere/chromium' })).toThrow('CHANCELA_CHROMIUM')
  })
})
