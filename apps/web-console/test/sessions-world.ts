import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, type PageOptions, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import jsQR from 'jsqr'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
// The helpers of the service's own tests: the pages are tried against the real thing.
import { signedIn } from '../../../services/session-server/test/test-support/console.ts'
import { running } from '../../../services/session-server/test/test-support/pki.ts'
import type { SessionWorld } from '../../../services/session-server/test/test-support/session-world.ts'
import { buildBundle } from './build-bundle.ts'
import { swapBundle } from './bundle-proxy.ts'

export type Page = WatchedPage['page']

interface VisitOptions extends PageOptions {
  /** What a test provokes on purpose on the console of the browser. */
  readonly provoked?: RegExp
  /** Other sites the visitor is led to. */
  readonly elsewhere?: readonly string[]
  /** What the browser was given before. */
  readonly cookies?: ReadonlyMap<string, string>
}

/** The built bundle and a browser, for all tests of a file. */
export function sessionPages() {
  let bundle: string
  let browser: TestBrowser
  let folder: string
  beforeAll(async () => {
    bundle = await mkdtemp(join(tmpdir(), 'chancela-sessions-pages-'))
    folder = await mkdtemp(join(tmpdir(), 'chancela-sessions-files-'))
    await buildBundle('sessions', bundle)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await rm(bundle, { recursive: true })
    await rm(folder, { recursive: true })
  })

  /** The console of a running server, with the bundle made from the sources as they are now. */
  async function consoleOf(server: SessionWorld) {
    const { origin, stop } = await swapBundle(bundle, server.consoleUrl)
    onTestFinished(stop)

    /** Another visitor, who shares nothing with the others. At the end nothing may have leaked or failed. */
    async function visit(path: string, { provoked = /401/, elsewhere = [], cookies, ...options }: VisitOptions = {}) {
      const watched = await openPage(options)
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

    async function openPage(options: PageOptions): Promise<WatchedPage> {
      const watched = await browser.newPage(options)
      // Less than the time of a test, so that a failure names the step.
      watched.page.setDefaultTimeout(30_000)
      // The server's time, which is not that of the machine.
      await watched.page.clock.setFixedTime(server.clock())
      return watched
    }

    /** A visitor who has signed in. */
    async function enter(path: string, options: VisitOptions = {}) {
      const administrator = await signedIn(server)
      const page = await visit(path, { ...options, cookies: administrator.jar })
      return { page, administrator }
    }

    return { origin, visit, enter }
  }

  /** The PKCS#12 of a holder of the PKI, as a file. */
  async function keyFile(label: string, password: string): Promise<string> {
    const path = join(folder, `${label}.p12`)
    await writeFile(path, running.pki.pkcs12(running.pki.certificate(label), { password }))
    return path
  }

  return { consoleOf, keyFile }
}

/** Pixels of each module of a QR code: what a camera sees of it is many times finer. */
const SCALE = 4

/** What a phone reads from the QR code on a page. */
export async function readQrCodeOn(page: Page): Promise<string | undefined> {
  const svg = page.getByRole('img', { name: /QR/ })
  const size = await svg.evaluate((element) => (element as unknown as SVGSVGElement).viewBox.baseVal.width)
  const dark = await svg
    .locator('[data-dark]')
    .evaluateAll((runs) => runs.map((run) => ['x', 'y', 'width'].map((name) => Number(run.getAttribute(name)))))
  const side = size * SCALE
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  const paint = (x: number, y: number) => pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
  for (const [x = 0, y = 0, width = 0] of dark)
    for (let down = 0; down < SCALE; down++)
      for (let right = 0; right < width * SCALE; right++) paint(x * SCALE + right, y * SCALE + down)
  return jsQR.default(pixels, side, side)?.data
}
