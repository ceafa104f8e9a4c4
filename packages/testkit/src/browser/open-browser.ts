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

export interface BrowserOptions {
  /**
   * A file in the format Y4M that its camera shows, frame after frame and again. It is read at every frame: who writes to
   * it meanwhile is seen. Every page may use the camera.
   */
  readonly camera?: string
}

/** The machine's headless Chromium. One is used by all files of a process: profiles isolate them, not processes. */
export async function openBrowser({ camera }: BrowserOptions = {}): Promise<TestBrowser> {
  // A camera belongs to a browser, not to a profile.
  const own = camera === undefined ? undefined : await launch(cameraArguments(camera))
  const browser = own ?? (await browserOfProcess())
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
      await own?.close()
    },
  }
}

const cameraArguments = (file: string): readonly string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
]

let running: Promise<Browser> | undefined

/** It ends with the process, whose end closes its pipe; after a crash it is started again. */
async function browserOfProcess(): Promise<Browser> {
  running ??= launch()
  const browser = await running
  if (browser.isConnected()) return browser
  running = launch()
  return running
}

function launch(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  // Chromium refuses to use its sandbox as root.
  const args = [...quiet, ...more, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath, args, headless: true })
}
