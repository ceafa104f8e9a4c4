import { randomBytes } from 'node:crypto'
import { type Clock, MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Account, Credential } from '../accounts.ts'
import type { Client } from '../clients.ts'

/** What a protocol asks a holder for, as the consent page shows it. */
export interface Consent {
  readonly client: Client
  /** CPF or CNPJ the client expects; the holder may still be somebody else. */
  readonly loginHint?: string
  /** What the client will be able to do. */
  readonly permits: 'identity' | 'one-signature' | 'several-signatures' | 'signing-session'
  /** How many signatures, where the client says so. */
  readonly signatures?: number
  /** For how long, where it is known. */
  readonly lifetimeSeconds?: number
  /** What will be signed, where the authorization is bound to it. */
  readonly hashes?: readonly string[]
  /** Whether a certificate is chosen; without it the page only names the client. */
  readonly withCertificate: boolean
  /** The only certificate that may be used. */
  readonly alias?: string
  /** Whether a holder who has just logged in from this browser needs no PIN again. */
  readonly reuseLogin?: boolean
  /** Returns where the browser is redirected. Called once. */
  readonly finish: (outcome: Outcome) => string
}

/** What the holder decided. */
export type Outcome =
  | { readonly kind: 'approved'; readonly account: Account; readonly credential: Credential }
  | { readonly kind: 'denied' }

/** A holder in a browser, from login to decision. */
export interface Interaction {
  readonly id: string
  readonly consent: Consent
  /** Part of the form, so that no other site can send it. */
  readonly formToken: string
  /** Part of a cookie, so that no other browser can continue it. */
  readonly browserToken: string
  readonly until: Date
  /** Who logged in. */
  account?: Account
}

const INTERACTION_MINUTES = 15
const LOGIN_MINUTES = 5

/** The interactions in progress, and the browsers with a login. */
export class Interactions {
  readonly #clock: Clock
  readonly #underWay = new Map<string, Interaction>()
  readonly #logins = new Map<string, { readonly account: Account; readonly until: Date }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(consent: Consent, login?: string): Interaction {
    const known = consent.reuseLogin && login !== undefined ? this.#loginOf(login) : undefined
    const interaction: Interaction = {
      id: random(),
      consent,
      formToken: random(),
      browserToken: random(),
      until: plus(this.#clock(), INTERACTION_MINUTES * MINUTE),
      ...(known && { account: known }),
    }
    this.#underWay.set(interaction.id, interaction)
    return interaction
  }

  find(id: string): Interaction | undefined {
    const found = this.#underWay.get(id)
    return found && found.until > this.#clock() ? found : undefined
  }

  /** The redirect address. A second decision on the same page has no effect. */
  finish({ id, consent }: Interaction, outcome: Outcome): string {
    this.#underWay.delete(id)
    return consent.finish(outcome)
  }

  /** Stores the login; returns the browser's cookie. */
  rememberLogin(account: Account): string {
    const login = random()
    this.#logins.set(login, { account, until: plus(this.#clock(), LOGIN_MINUTES * MINUTE) })
    return login
  }

  #loginOf(login: string): Account | undefined {
    const found = this.#logins.get(login)
    return found && found.until > this.#clock() ? found.account : undefined
  }
}

const random = (): string => randomBytes(24).toString('base64url')
