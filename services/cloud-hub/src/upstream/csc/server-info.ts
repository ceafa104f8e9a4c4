// Public information of a server, and the URL of its authorization server.
import { readUrl } from '@chancela/service-kernel/addresses'
import { MINUTE } from '@chancela/service-kernel/clock'
import Type from 'typebox'
import { ProviderProblem } from '../provider-problem.ts'
import { type CscServer, callMethod } from './csc-server.ts'

const InfoAnswer = Type.Object({
  specs: Type.String(),
  methods: Type.Optional(Type.Array(Type.String())),
  oauth2: Type.Optional(Type.String()),
  // 2.2: a list; the first with a base URI is used.
  oauth2Servers: Type.Optional(Type.Array(Type.Object({ baseUri: Type.Optional(Type.String()) }))),
})

export interface ServerInfo {
  readonly specs: string
  readonly methods: readonly string[]
  /** Undefined when it names none the hub can use. */
  readonly oauthBase: string | undefined
}

const KEPT = 10 * MINUTE

/** The info of one server, cached. */
export class ServerInfos {
  readonly #server: CscServer
  #read: { readonly at: number; readonly info: Promise<ServerInfo> } | undefined

  constructor(server: CscServer) {
    this.#server = server
  }

  /** Nothing was requested of the provider yet: every problem counts as unreachable. */
  async get(): Promise<ServerInfo> {
    const now = this.#server.clock().getTime()
    if (this.#read && now - this.#read.at < KEPT) return this.#read.info
    const read = { at: now, info: readInfo(this.#server) }
    this.#read = read
    try {
      return await read.info
    } catch (error) {
      if (this.#read === read) this.#read = undefined
      if (!(error instanceof ProviderProblem)) throw error
      const { status, found = error.kind, diagnosis = error.message } = error
      const known = { found, diagnosis, cause: error }
      const kind = error.kind === 'proxy' ? 'proxy' : 'unavailable'
      throw new ProviderProblem(kind, { ...(status !== undefined && { status }), ...known })
    }
  }

  /** An endpoint of the authorization server. */
  async oauth(endpoint: 'authorize' | 'token' | 'revoke'): Promise<string> {
    const { oauthBase } = await this.get()
    if (oauthBase !== undefined) return `${oauthBase}/oauth2/${endpoint}`
    throw new ProviderProblem('misconfigured', {
      found: 'no-authorization-server',
    })
  }
}

/** Reads the info now. */
export async function readInfo(server: CscServer, signal?: AbortSignal): Promise<ServerInfo> {
  const { knobs, endpoint, deadlines } = server
  const call = { deadline: deadlines.discovery, safe: true, signal }
  const { specs, methods = [], oauth2, oauth2Servers = [] } = await callMethod(server, 'info', {}, InfoAnswer, call)
  const told = knobs.oauthBase ?? oauth2 ?? oauth2Servers.find(({ baseUri }) => baseUri !== undefined)?.baseUri
  return { specs, methods, oauthBase: usable(told, endpoint) }
}

/** A base URL for holders and secrets: absolute, without query, and no less protected than the server's own. */
function usable(base: string | undefined, endpoint: string): string | undefined {
  const url = base === undefined ? undefined : readUrl(base)
  if (!url) return undefined
  const { protocol, origin, pathname, href } = url
  const isPlain = [`${origin}${pathname}`, origin].includes(href)
  const isProtected = protocol === 'https:' || (protocol === 'http:' && endpoint.startsWith('http:'))
  return isPlain && isProtected ? href.replace(/\/+$/, '') : undefined
}
