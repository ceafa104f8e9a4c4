import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { PATIENCE_MS } from '../test-files/patience.ts'
import { findChromium } from './chromium.ts'
import { type WatchedPage, watchPage } from './watched-page.ts'

/** Pages of a browser; the caller closes it. */
export interface TestBrowser {
  /** A page with an empty profile, isolated from the others. */
  newPage(options?: PageOptions): Promise<WatchedPage>
  /** Closes its pages. */
  close(): Promise<void>
}

export interface PageOptions {
  /** Language of the browser. Default `en-US`. */
  readonly locale?: string
  /** Size of the window, in pixels. Default 1280 by 800. */
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

// The browser itself must send no requests, or they could not be told from those of a page.
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  // It would crash with the small shared memory of containers.
  '--disable-dev-shm-usage',
]

/** The machine's headless Chromium. One is used by all files of a process: profiles isolate them, not processes. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await browserOfProcess()
  const opened: BrowserContext[] = []
  return {
    async newPage({ locale = 'en-US', viewport = { width: 1280, height: 800 }, colorScheme = 'light' } = {}) {
      const context = await browser.newContext({ locale, viewport, colorScheme })
      context.setDefaultTimeout(PATIENCE_MS)
      opened.push(context)
      return watchPage(await context.newPage())
    },
    close: async () => {
      await Promise.all(opened.splice(0).map((context) => context.close()))
    },
  }
}

let running: Promise<Browser> | undefined

/** It ends with the process, whose end closes its pipe; after a crash it is started again. */
async function browserOfProcess(): Promise<Browser> {
  running ??= launch()
  const browser = await running
  if (browser.isConnected()) return browser
  running = launch()
  return running
}

function launch(): Promise<Browser> {
  const executablePath = findChromium()
  // Chromium refuses to use its sandbox as root.
  const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet
  return chromium.launch({ executablePath, args, headless: true })
}
