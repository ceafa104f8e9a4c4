import {
  type BrowserOptions,
  openBrowser,
  type PageOptions,
  type TestBrowser,
  type WatchedPage,
} from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { swapBundle } from './bundle-proxy.ts'

export type Page = WatchedPage['page']

export interface VisitOptions extends PageOptions {
  /** What a test provokes on purpose on the console of the browser. */
  readonly provoked?: RegExp
  /** Other sites the visitor is redirected to. */
  readonly elsewhere?: readonly string[]
  /** What the browser was given before. */
  readonly cookies?: ReadonlyMap<string, string>
}

/** The bundle and a browser, for all tests of a file. */
export function bundlePages(name: string, ofBrowser: () => BrowserOptions = () => ({})) {
  let bundle: string
  let browser: TestBrowser
  beforeAll(async () => {
    bundle = await builtPages(name)
    browser = await openBrowser(ofBrowser())
  })
  afterAll(() => browser.close())

  /** A visitor in a browser context of its own. The test fails on any leak or unexpected error. */
  async function visit(origin: string, path: string, clock: () => Date, options: VisitOptions = {}): Promise<Page> {
    const { provoked = /401/, elsewhere = [], cookies, ...ofPage } = options
    const watched = await openPage(ofPage, clock)
    const given = [...(cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }))
    await watched.page.context().addCookies(given)
    onTestFinished(async () => {
      await watched.page.context().close()
      expect(watched.errors.filter((error) => !provoked.test(error))).toEqual([])
      expect(watched.policyViolations).toEqual([])
      const own = [origin, ...elsewhere]
      expect(watched.requests.filter((address) => !own.some((site) => address.startsWith(`${site}/`)))).toEqual([])
    })
    await watched.page.goto(`${origin}${path}`)
    return watched.page
  }

  async function openPage(options: PageOptions, clock: () => Date): Promise<WatchedPage> {
    const watched = await browser.newPage(options)
    // The server's time, which is not that of the machine.
    await watched.page.clock.setFixedTime(clock())
    return watched
  }

  return { visit, swap: (service: string | (() => string), below?: string) => swapBundle(bundle, service, below) }
}
