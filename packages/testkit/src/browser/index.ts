export { findChromium } from './chromium.ts'
export { openBrowser, type PageOptions, type TestBrowser } from './open-browser.ts'
export type { WatchedPage } from './watched-page.ts'
