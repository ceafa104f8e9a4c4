import type { Accounts } from './accounts.ts'

/** What a holder does on the pages. */
export interface Walk {
  /** Label of the holder in the PKI. */
  readonly holder: string
  /** Default: the right one. */
  readonly pin?: string
  /** Default approve; `cancel` leaves before logging in. */
  readonly decision?: 'approve' | 'deny' | 'cancel'
  /** Alias of the certificate to choose; default the page's own choice. */
  readonly certificate?: string
}

/** No walk is longer, unless it loops. */
const MOST_STEPS = 12

/**
 * Goes through the pages as a browser would, without one. Redirects within the provider are followed; the first one to
 * elsewhere is the result, and is not followed.
 */
export async function walkPages(accounts: Accounts, authUrl: string, walk: Walk): Promise<string> {
  const browser = new Browser(new URL(authUrl).origin)
  let answer = await browser.get(authUrl)
  for (let step = 0; step < MOST_STEPS; step++) {
    if (answer.leftTo !== undefined) return answer.leftTo
    answer = await browser.post(answer.url, { ...fieldsOf(answer, accounts, walk), form: hiddenToken(answer.html) })
  }
  throw new Error('The walk through the pages of the cloud provider does not end.')
}

/** What a holder types on this page. */
function fieldsOf({ html, status }: Shown, accounts: Accounts, walk: Walk): Record<string, string> {
  const { decision = 'approve', certificate } = walk
  const step = /<main data-step="([\w-]+)"/.exec(html)?.[1]
  if (status !== 200) throw new Error(`The cloud provider refused (${status}, page '${step}'): ${problemOf(html)}`)
  if (step === 'login') {
    const { identifier, pin } = accounts.get(walk.holder)
    return decision === 'cancel' ? { decision: 'deny' } : { identifier, pin: walk.pin ?? pin }
  }
  if (step === 'consent') {
    return { decision: decision === 'approve' ? 'approve' : 'deny', certificate: certificate ?? checked(html) }
  }
  throw new Error(`The cloud provider shows a page nobody expects: '${step}'.`)
}

const problemOf = (html: string): string => /<p class="problem"[^>]*>([^<]*)</.exec(html)?.[1] ?? html.slice(0, 200)

const hiddenToken = (html: string): string => /name="form" value="([\w-]+)"/.exec(html)?.[1] ?? ''

const checked = (html: string): string => /name="certificate" value="([^"]*)" checked/.exec(html)?.[1] ?? ''

interface Shown {
  readonly url: string
  readonly status: number
  readonly html: string
  /** The address the provider redirects to, if that is elsewhere. */
  readonly leftTo?: string
}

/** A minimal browser: cookies and redirects. */
class Browser {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  get(url: string): Promise<Shown> {
    return this.#load(url, {})
  }

  post(url: string, fields: Record<string, string>): Promise<Shown> {
    return this.#load(url, { method: 'POST', body: new URLSearchParams(fields) })
  }

  async #load(url: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, 'accept-language': 'en-US' } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split('=', 2)
      this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const html = await response.text()
    if (location === null) return { url, status: response.status, html }
    const target = new URL(location, url)
    if (target.origin !== this.#origin) return { url, status: response.status, html, leftTo: location }
    return this.get(target.href)
  }
}
