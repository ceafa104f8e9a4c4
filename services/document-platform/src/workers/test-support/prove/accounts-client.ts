import type { Organization } from './life-plan.ts'
import { Refused, ServiceCalls } from './service-calls.ts'

/** A user of the organization as the API shows it. */
export interface TheirUser {
  readonly id: string
  readonly email: string
  readonly hasAccount: boolean
}

/** An entry of the audit as the API shows it. */
export interface TheirEntry {
  readonly number: number
  readonly kind: string
  readonly subject: { readonly id: string } | null
  readonly after: { readonly email?: string } | null
}

interface Verdict {
  readonly isIntact: boolean
  readonly entries: number
  readonly brokenAt: number | null
}

/** What browsers and administrators do about accounts, in one run of the service. */
export class AccountsClient {
  readonly #baseUrl: string
  readonly #organization: Organization
  readonly #calls: ServiceCalls

  constructor(baseUrl: string, organization: Organization) {
    this.#baseUrl = baseUrl
    this.#organization = organization
    this.#calls = new ServiceCalls(baseUrl, { 'X-Api-Key': organization.apiKey })
  }

  async invite(email: string): Promise<void> {
    await this.#calls.json('POST', '/api/organizations/users', { name: 'Bia Reis', email })
  }

  users = (): Promise<readonly TheirUser[]> =>
    this.#pages(({ limit, at }) => `/api/organizations/users?limit=${limit}&offset=${at}`)

  async entries(): Promise<readonly TheirEntry[]> {
    const entries: TheirEntry[] = []
    for (let cursor = ''; ; ) {
      const path = `/api/organizations/${this.#organization.id}/audit?limit=500${cursor}`
      const page = await this.#calls.json<{ items: readonly TheirEntry[]; nextCursor: string | null }>('GET', path)
      entries.push(...page.items)
      if (page.nextCursor === null) return entries
      cursor = `&cursor=${page.nextCursor}`
    }
  }

  verdict = (): Promise<Verdict> =>
    this.#calls.json('GET', `/api/organizations/${this.#organization.id}/audit/verification`)

  /** Whether the link of an invitation still opens it. */
  isOpen = (ticket: string): Promise<boolean> =>
    whether(this.#browser().call('GET', `/api/invitation?ticket=${encodeURIComponent(ticket)}`), 422)

  async accept(ticket: string, password: string): Promise<void> {
    await this.#browser().json('POST', '/api/invitation', { ticket, password })
  }

  /** The cookie of a new session; undefined when the password is not right. */
  async signIn(email: string, password: string): Promise<string | undefined> {
    try {
      return cookieOf(await this.#browser().call('POST', '/api/session', { email, password }))
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return undefined
      throw error
    }
  }

  /** The cookie with which the session goes on. */
  async changePassword(cookie: string, password: string, newPassword: string): Promise<string> {
    return cookieOf(await this.#browser(cookie).call('PUT', '/api/session/password', { password, newPassword }))
  }

  isSignedIn = (cookie: string): Promise<boolean> => whether(this.#browser(cookie).call('GET', '/api/session'), 401)

  #browser(cookie?: string): ServiceCalls {
    return new ServiceCalls(this.#baseUrl, cookie === undefined ? {} : { cookie })
  }

  async #pages<Item>(path: (page: { limit: number; at: number }) => string): Promise<readonly Item[]> {
    const all: Item[] = []
    for (const limit = 100; ; ) {
      const { items } = await this.#calls.json<{ items: readonly Item[] }>('GET', path({ limit, at: all.length }))
      all.push(...items)
      if (items.length < limit) return all
    }
  }
}

const cookieOf = ({ headers }: Response): string => headers.get('set-cookie')!.split(';')[0]!

/** True for an answer, false for a refusal with this status. */
async function whether(called: Promise<Response>, status: number): Promise<boolean> {
  try {
    await (await called).arrayBuffer().catch(() => undefined)
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === status) return false
    throw error
  }
}
