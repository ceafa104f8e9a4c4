import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestBrowser, WatchedPage } from '@chancela/testkit/browser'
import { samplePdf } from '@chancela/testkit/samples'
import { expect, onTestFinished, vi } from 'vitest'
import {
  createDocument,
  signer,
  startPlatform,
  ticketOf,
} from '../../../services/document-platform/test/test-support/platform-world.ts'
import { personAt, tokenClock, withTokens } from '../../../services/document-platform/test/test-support/tokens.ts'
// From the services' own tests: the pages are tested against the real services, agent and token.
import type { SessionWorld } from '../../../services/session-server/test/test-support/session-world.ts'
import { newTokenStation, TOKEN_PIN } from '../../../services/session-server/test/test-support/workstation.ts'
import { swapBundle } from './bundle-proxy.ts'

type Page = WatchedPage['page']

/** A site of another origin that may frame the platform, and denies its frames the machine's own ports. */
async function embeddingSite() {
  const framed = { address: '' }
  const http = createServer((_, answer) => {
    const policy = 'loopback-network=(), local-network=(), local-network-access=()'
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'permissions-policy': policy })
    answer.end(
      `<!doctype html><html lang="pt-BR"><title>Prontuário</title><script>
       window.told = []; addEventListener('message', ({ data }) => told.push(data))</script>
       <iframe title="Assinatura" src="${framed.address}" width="1100" height="1500"></iframe>`,
    )
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  onTestFinished(() => void http.close())
  return { framed, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

interface Wishes {
  readonly browser: TestBrowser
  readonly bundle: string
  readonly sessions: SessionWorld
  readonly locale?: string
  readonly width?: number
}

/** The platform with a session server, a holder with a token at a running agent, and a browser. */
export async function tokenWorld({ browser, bundle, sessions, locale = 'pt-BR', width = 1280 }: Wishes) {
  const site = await embeddingSite()
  const front = await swapBundle(bundle, () => platform.baseUrl)
  onTestFinished(front.stop)
  const platform = await startPlatform('SQLite', {
    clock: tokenClock,
    settings: {
      ...withTokens(sessions),
      Http: { PublicUrl: front.origin },
      Documents: { FrameAncestors: [site.origin] },
    },
  })
  const viewport = { width, height: 900 }
  const windows: Page[] = []
  const station = await newTokenStation(sessions, {
    openBrowser: async (url) => {
      const { page } = await browser.newPage({ locale, viewport })
      await page.goto(url)
      windows.push(page)
      return true
    },
  })
  const watched = await browser.newPage({ locale, viewport })
  const { page } = watched
  const ownOrigins = [front.origin, site.origin]
  onTestFinished(async () => {
    await page.context().close()
    expect(watched.errors).toEqual([])
    expect(watched.policyViolations).toEqual([])
    // The page speaks to the service and to nobody else: to no local port, above all.
    const isOwn = (address: string) => address.startsWith('blob:') || ownOrigins.includes(new URL(address).origin)
    expect(watched.requests.filter((address) => !isOwn(address))).toEqual([])
  })
  return {
    platform,
    station,
    site,
    origin: front.origin,
    page,
    /** The next window of the agent. */
    agentWindow: () => vi.waitUntil(() => windows.shift(), { interval: 20 }),
    /** A document that waits for the holder, and the addresses of its page. */
    async newDocument(name = 'Contrato de locação.pdf', person = personAt(station)) {
      const id = await createDocument(platform, [signer(person)], { file: samplePdf('Contrato'), name })
      const { url } = await ticketOf(platform, id, person.identifier)
      const { body } = await platform.json('POST', `/api/documents/${id}/action-url`, { identifier: person.identifier })
      return { id, url, embedUrl: body.embedUrl as string }
    },
  }
}

/** Approves in the agent's window. */
export async function approveIn(window: Page, action = 'Assinar', pin = TOKEN_PIN): Promise<void> {
  await window.getByLabel('PIN').fill(pin)
  await window.getByRole('button', { name: action }).click()
  await window.getByRole('heading', { name: /aprovada|approved/ }).waitFor()
}
