import { chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'
import { type WatchedPage, watchPage } from './watched-page.ts'

/** A browser with an empty profile, to be closed by whoever opened it. */
export interface TestBrowser {
  /** A page that shares nothing with the others. */
  newPage(options?: PageOptions): Promise<WatchedPage>
  close(): Promise<void>
}

export interface PageOptions {
  /** Language of the browser. Default `en-US`. */
  readonly locale?: string
  /** Size of the window, in pixels. Default 1280 by 800. */
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

// The browser itself must ask nobody anything, or a page could not be told from it.
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  // Small shared memory, as in containers, would crash it.
  '--disable-dev-shm-usage',
]

/** Starts the machine's Chromium without a window. */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = findChromium()
  // Chromium refuses to use its sandbox as root.
  const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet
  const browser = await chromium.launch({ executablePath, args, headless: true })
  return {
    async newPage({ locale = 'en-US', viewport = { width: 1280, height: 800 }, colorScheme = 'light' } = {}) {
      const context = await browser.newContext({ locale, viewport, colorScheme })
      return watchPage(await context.newPage())
    },
    close: () => browser.close(),
  }
}
