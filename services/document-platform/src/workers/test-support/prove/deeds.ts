import type { ReceivedMail } from '@chancela/testkit/mail'
import { AccountDeeds } from './account-deeds.ts'
import { GenerationDeeds } from './generation-deeds.ts'
import { type Person, type PlatformClient, signers } from './platform-client.ts'
import { Failed, Refused, Unknown } from './service-calls.ts'

/** A change the service confirmed. */
export interface Confirmed {
  readonly documentId: string
  readonly change: 'created' | 'signed' | 'approved' | 'refused' | 'canceled' | 'deleted'
  /** Who acted. */
  readonly person?: Person
}

interface KnownDocument {
  readonly id: string
  /** Participants who have not acted yet, in order. */
  readonly waiting: { readonly type: 'Signer' | 'Approver'; readonly person: Person }[]
}

/** Of the deeds those that are done to accounts, and those that begin a generation. */
const ACCOUNTS = 0.25
const GENERATIONS = 0.01

/** What clients do across several runs of the service, and what was confirmed to them. */
export class Deeds {
  readonly confirmed: Confirmed[] = []
  readonly accounts: AccountDeeds
  readonly generations: GenerationDeeds
  /** Answers that no kill explains. */
  readonly failures: string[] = []
  #open: KnownDocument[] = []
  #unknown = 0

  constructor(inbox: () => readonly ReceivedMail[], generationRows: number) {
    this.accounts = new AccountDeeds(inbox)
    this.generations = new GenerationDeeds(generationRows)
  }

  /** Number of confirmed changes of every kind. */
  get count(): number {
    return this.confirmed.length + this.accounts.confirmed + this.generations.confirmed
  }

  /** Number of changes with an unknown outcome. */
  get unknown(): number {
    return this.#unknown
  }

  /** Makes random changes, the first of them a given one, until told to stop or the service does not answer. */
  async goOn(client: PlatformClient, goesOn: () => boolean, first?: 'generation'): Promise<void> {
    let next = first
    while (goesOn()) {
      try {
        await (next ? this.generations.begin(client) : this.#doSomething(client))
        next = undefined
      } catch (error) {
        // A change that was made without a confirmation is refused when it is repeated.
        if (error instanceof Refused) continue
        if (!(error instanceof Unknown)) throw error
        if (error instanceof Failed) this.failures.push(error.message)
        this.#unknown += 1
        return
      }
    }
  }

  async #doSomething(client: PlatformClient): Promise<void> {
    const kind = Math.random()
    if (kind < ACCOUNTS) return this.accounts.goOn(client.accounts)
    return kind < ACCOUNTS + GENERATIONS ? this.generations.begin(client) : this.#doToDocument(client)
  }

  async #doToDocument(client: PlatformClient): Promise<void> {
    const dice = Math.random()
    // Removed while a lane works on it: two lanes on one document would only get each other refused.
    const at = Math.floor(Math.random() * this.#open.length)
    const [document] = dice < 0.35 ? [] : this.#open.splice(at, 1)
    if (!document) return this.#create(client)
    const { id, waiting } = document
    const [next] = waiting
    if (!next || dice > 0.92) return this.#report({ documentId: id, change: 'deleted' }, client.delete(id))
    const { type, person } = next
    if (dice > 0.86) return this.#report({ documentId: id, change: 'canceled' }, client.cancel(id))
    if (dice > 0.8) return this.#report({ documentId: id, change: 'refused', person }, client.refuse(id, person))
    try {
      if (type === 'Signer') await this.#report({ documentId: id, change: 'signed', person }, client.sign(id, person))
      else await this.#report({ documentId: id, change: 'approved', person }, client.approve(id, person))
      waiting.shift()
    } finally {
      // A signature that may have been made is retried in the next run, and refused if it was.
      if (waiting.length > 0) this.#open.push(document)
    }
  }

  async #create(client: PlatformClient): Promise<void> {
    const flow = signers
      .slice(0, 1 + Math.floor(Math.random() * signers.length))
      .map((person) => ({ type: Math.random() < 0.7 ? ('Signer' as const) : ('Approver' as const), person }))
    const id = await client.create(flow)
    this.confirmed.push({ documentId: id, change: 'created' })
    this.#open.push({ id, waiting: [...flow] })
  }

  async #report(confirmed: Confirmed, done: Promise<void>): Promise<void> {
    await done
    this.confirmed.push(confirmed)
  }
}
