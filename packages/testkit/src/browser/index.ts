export { findChromium } from './chromium.ts'
export { type BrowserOptions, openBrowser, type PageOptions, type TestBrowser } from './open-browser.ts'
export type { WatchedPage } from './watched-page.ts'
