import { randomUUID } from 'node:crypto'
import { type Clock, MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Account } from '../accounts.ts'
import type { Consent, Outcome } from './interactions.ts'

/** A request on a holder's phone. */
export interface PushRequest {
  readonly account: Account
  readonly consent: Consent
  readonly until: Date
  /** The holder's decision, with the result of `consent.finish`. */
  decided?: { readonly kind: Outcome['kind']; readonly result: string }
}

/** How long a request waits on the phone. */
const PUSH_MINUTES = 2

/** The requests on the phones of all holders. */
export class Pushes {
  readonly #clock: Clock
  readonly #byCode = new Map<string, PushRequest>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Puts a request on the holder's phone; the client polls with the returned code. */
  ask(account: Account, consent: Consent): string {
    const code = randomUUID()
    this.#byCode.set(code, { account, consent, until: plus(this.#clock(), PUSH_MINUTES * MINUTE) })
    return code
  }

  /** The pending requests, the newest first. */
  waiting(): readonly PushRequest[] {
    return [...this.#byCode.values()].filter((one) => !one.decided && one.until > this.#clock()).toReversed()
  }

  /** Decides the newest request on the phone; returns whether there is one. */
  decide({ label }: Account, outcome: Outcome): boolean {
    const request = this.waiting().find(({ account }) => account.label === label)
    if (request) request.decided = { kind: outcome.kind, result: request.consent.finish(outcome) }
    return request !== undefined
  }

  /** The request of a code, unless it has timed out; a decided one is returned once. */
  find(code: string): PushRequest | undefined {
    const found = this.#byCode.get(code)
    if (!found || found.until <= this.#clock()) return undefined
    if (found.decided) this.#byCode.delete(code)
    return found
  }
}
