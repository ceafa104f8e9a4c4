import type { Page, Request } from 'playwright-core'

/** A page that records its requests and errors. */
export interface WatchedPage {
  readonly page: Page
  /** Addresses of all requests so far, including failed and blocked ones. */
  readonly requests: readonly string[]
  /** Requests that left this machine, or tried to. */
  readonly outsideRequests: () => readonly string[]
  /** Errors on the console and uncaught exceptions. */
  readonly errors: readonly string[]
  /** What the content security policy blocked. */
  readonly policyViolations: readonly string[]
}

const REPORT = 'reportPolicyViolation'

export async function watchPage(page: Page): Promise<WatchedPage> {
  const requests: string[] = []
  const errors: string[] = []
  const policyViolations: string[] = []
  page.on('request', (request: Request) => void requests.push(request.url()))
  page.on('websocket', (socket) => void requests.push(socket.url()))
  page.on('pageerror', (error) => void errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.exposeFunction(REPORT, (violation: string) => void policyViolations.push(violation))
  await page.addInitScript(reportViolations, REPORT)
  return { page, requests, errors, policyViolations, outsideRequests: () => requests.filter(isOutside) }
}

interface PolicyViolation {
  readonly violatedDirective: string
  readonly blockedURI: string
}

// Runs in the page, before any of its own scripts.
function reportViolations(report: string): void {
  const page = globalThis as unknown as EventTarget & Record<string, (violation: string) => void>
  page.addEventListener('securitypolicyviolation', (event: unknown) => {
    const { violatedDirective, blockedURI } = event as PolicyViolation
    page[report]!(`${violatedDirective}: ${blockedURI}`)
  })
}

const local = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address is on another machine; data: and blob: URLs are not. */
function isOutside(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return !['data:', 'blob:', 'about:'].includes(protocol) && !local.has(hostname)
}
