// The server of the agent's window: on 127.0.0.1 only, on a random port, while somebody looks at it and a while longer.
// Its address works once and becomes a session cookie, so that the pages have plain addresses. A cookie goes to every
// port of a host: pages are not framed, forms carry a token, and a change comes from this origin or not at all.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { MINUTE } from '@chancela/service-kernel/clock'
import { sameSecret } from '@chancela/service-kernel/secrets'
import { formOf, hostOf, languageOf, listenHere, newSecret } from '../prompt/local-server.ts'
import { pageHeaders } from '../prompt/page-frame.ts'
import type { PromptLanguage } from '../prompt/texts.ts'

/** Nobody looks any more. */
const IDLE = 30 * MINUTE

/** A form has a name of its own for the token, which pages put into it. */
export const TOKEN_FIELD = 'token'

export interface WindowRequest {
  readonly path: string
  /** What was submitted; undefined for a look. */
  readonly form: URLSearchParams | undefined
  readonly language: PromptLanguage
  /** For the forms of the page. */
  readonly token: string
}

/** The pages; undefined for an address that none has. */
type WindowPages = (request: WindowRequest) => Promise<string | undefined>

/** Pages that need no session. */
export type Refusal = 'no-session' | 'not-found' | 'not-from-here'

interface Options {
  readonly pages: WindowPages
  readonly refusal: (why: Refusal, language: PromptLanguage) => string
  readonly idleMilliseconds?: number
}

const refusals = { 'no-session': 403, 'not-found': 404, 'not-from-here': 403 } as const satisfies Record<
  Refusal,
  number
>

/** Its forms say where they come from, which they would not without a referrer. */
const headers = { ...pageHeaders, 'referrer-policy': 'same-origin' } as const

export class WindowServer {
  readonly #options: Options
  /** Session cookies, each with the token of its forms. */
  readonly #sessions = new Map<string, string>()
  readonly #tickets = new Set<string>()
  #listening: Promise<Server> | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** An address for the browser, which works once. */
  async newAddress(): Promise<string> {
    this.#listening ??= listenHere((server, request, response) => this.#answer(server, request, response))
    const server = await this.#listening
    const ticket = newSecret()
    this.#tickets.add(ticket)
    this.#stayOpen()
    return `http://${hostOf(server)}/${ticket}`
  }

  /** At once, whoever looks. */
  close(): void {
    clearTimeout(this.#idle)
    const listening = this.#listening
    this.#listening = undefined
    this.#sessions.clear()
    this.#tickets.clear()
    void listening?.then((server) => server.close())
  }

  #stayOpen(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), this.#options.idleMilliseconds ?? IDLE).unref()
  }

  async #answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = hostOf(server)
    // Against DNS rebinding: only the address itself is accepted, no name that resolves to it.
    if (request.headers.host !== host) return this.#send(response, 421, request, 'not-from-here')
    const path = request.url ?? '/'
    if (request.method === 'GET' && this.#tickets.delete(path.slice(1))) return this.#enter(host, response)
    const token = this.#sessions.get(cookieOf(request, host) ?? '')
    if (token === undefined) return this.#refuse(response, request, 'no-session')
    this.#stayOpen()
    if (request.method !== 'GET' && request.method !== 'POST') return this.#refuse(response, request, 'not-found')
    const form = request.method === 'POST' ? await formOf(request) : undefined
    if (!isFromHere(request, host) || (form && !isOwn(form, token)))
      return this.#refuse(response, request, 'not-from-here')
    const html = await this.#options.pages({ path, form, language: languageOf(request), token })
    if (html === undefined) return this.#refuse(response, request, 'not-found')
    response.writeHead(200, headers).end(html)
  }

  #enter(host: string, response: ServerResponse): void {
    const session = newSecret()
    this.#sessions.set(session, newSecret())
    const cookie = `${cookieName(host)}=${session}; Path=/; HttpOnly; SameSite=Strict`
    response.writeHead(303, { ...headers, location: '/', 'set-cookie': cookie }).end()
  }

  #refuse(response: ServerResponse, request: IncomingMessage, why: Refusal): void {
    this.#send(response, refusals[why], request, why)
  }

  #send(response: ServerResponse, status: number, request: IncomingMessage, why: Refusal): void {
    response.writeHead(status, headers).end(this.#options.refusal(why, languageOf(request)))
  }
}

/** Two agents have two ports, and one host to keep cookies for. */
const cookieName = (host: string): string => `chancela-agent-${host.split(':')[1]}`

const cookieOf = ({ headers: { cookie } }: IncomingMessage, host: string): string | undefined =>
  cookie
    ?.split('; ')
    .find((each) => each.startsWith(`${cookieName(host)}=`))
    ?.split('=')[1]

/** Browsers say where a form was sent from, and newer ones also how a page was reached. */
function isFromHere({ method, headers: sent }: IncomingMessage, host: string): boolean {
  const site = sent['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && !(method === 'GET' && site === 'none')) return false
  return method === 'GET' || sent.origin === `http://${host}`
}

const isOwn = (form: URLSearchParams, token: string): boolean => sameSecret(form.get(TOKEN_FIELD) ?? '', token)
