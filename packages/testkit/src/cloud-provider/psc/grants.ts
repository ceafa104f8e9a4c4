import { createHash, randomBytes } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Account, Credential } from '../accounts.ts'
import type { Client } from '../clients.ts'
import type { Context } from '../provider-context.ts'

/** How many calls of the signature service a scope allows, and how many hashes each may have. */
export const scopes = {
  single_signature: { calls: 1, hashesPerCall: 1, defaultSeconds: 300 },
  multi_signature: { calls: 1, hashesPerCall: Number.POSITIVE_INFINITY, defaultSeconds: 300 },
  signature_session: {
    calls: Number.POSITIVE_INFINITY,
    hashesPerCall: Number.POSITIVE_INFINITY,
    defaultSeconds: 3600,
  },
  authentication_session: { calls: 0, hashesPerCall: 0, defaultSeconds: 3600 },
} as const

export type Scope = keyof typeof scopes

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)

/** Longest life of a token: seven days for a person, thirty for a company. */
const longestSeconds = { CPF: 604_800, CNPJ: 2_592_000 } as const

const CODE_MINUTES = 2
const CLIENT_TOKEN_SECONDS = 7200

/** What a holder consented to, before and after the code exchange. */
export interface Grant {
  readonly client: Client
  readonly account: Account
  /** The chosen certificate; a password token has none and is valid for all. */
  readonly credential?: Credential
  readonly scope: Scope
  readonly lifetimeSeconds: number
}

interface Code extends Grant {
  readonly until: Date
  readonly challenge: string
  /** As the client sent it; it must be repeated. */
  readonly redirectUri: string | undefined
}

/** A token with which a holder's key is used. */
export interface Token extends Grant {
  readonly value: string
  readonly until: Date
  callsLeft: number
}

/** Issued codes and tokens, in memory only. */
export class Grants {
  readonly #context: Context
  readonly #codes = new Map<string, Code>()
  readonly #tokens = new Map<string, Token>()
  readonly #clientTokens = new Map<string, { readonly client: Client; readonly until: Date }>()

  constructor(context: Context) {
    this.#context = context
  }

  giveCode(code: Omit<Code, 'until'>): string {
    const value = random()
    this.#codes.set(value, { ...code, until: plus(this.#context.clock(), CODE_MINUTES * MINUTE) })
    return value
  }

  /** Takes the code: any use, right or wrong, spends it. */
  takeCode(value: string): Code | undefined {
    const code = this.#codes.get(value)
    this.#codes.delete(value)
    return code && code.until > this.#context.clock() ? code : undefined
  }

  giveToken({ client, account, credential, scope, lifetimeSeconds }: Grant): Token {
    const { withheldScopes } = this.#context.quirks
    const token: Token = {
      value: random(),
      client,
      account,
      ...(credential && { credential }),
      scope,
      lifetimeSeconds,
      until: plus(this.#context.clock(), lifetimeSeconds * SECOND),
      callsLeft: withheldScopes.includes(scope) ? 0 : scopes[scope].calls,
    }
    this.#tokens.set(token.value, token)
    return token
  }

  /** A token that is still valid; one whose calls are used up is void, unless it never had any. */
  findToken(value: string | undefined): Token | undefined {
    const token = value === undefined ? undefined : this.#tokens.get(value)
    if (!token || token.until <= this.#context.clock()) return undefined
    const isSpent = token.callsLeft <= 0 && scopes[token.scope].calls > 0
    return isSpent && !this.#context.quirks.withheldScopes.includes(token.scope) ? undefined : token
  }

  giveClientToken(client: Client, requested: number | undefined): { value: string; seconds: number } {
    const value = random()
    const seconds = Math.min(requested ?? CLIENT_TOKEN_SECONDS, CLIENT_TOKEN_SECONDS)
    this.#clientTokens.set(value, { client, until: plus(this.#context.clock(), seconds * SECOND) })
    return { value, seconds }
  }

  findClientToken(value: string | undefined): Client | undefined {
    const found = value === undefined ? undefined : this.#clientTokens.get(value)
    return found && found.until > this.#context.clock() ? found.client : undefined
  }

  /** Does not reveal whether there was such a token. */
  revoke(value: string | undefined): void {
    if (value !== undefined) this.#tokens.delete(value)
  }

  /** The granted lifetime: no more than the norm allows, and less where a quirk says so. */
  lifetimeFor({ type }: Pick<Account, 'type'>, scope: Scope, requested: number | undefined): number {
    const { shortenLifetime = Number.POSITIVE_INFINITY } = this.#context.quirks
    return Math.min(requested ?? scopes[scope].defaultSeconds, longestSeconds[type], shortenLifetime)
  }
}

/** RFC 7636 §4.6. */
export const answersChallenge = (verifier: string | undefined, challenge: string): boolean =>
  verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === challenge

const random = (): string => randomBytes(32).toString('base64url')
