import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedMail } from '@chancela/testkit/mail'
import type { AccountsClient } from './accounts-client.ts'
import { Unknown } from './service-calls.ts'

/** What comes next for a user, or what was asked for and not answered. */
type Stage = 'to invite' | 'invited' | 'accepting' | 'at work' | 'changing'

/** A user who is invited, accepts, and changes the password again and again. */
export interface Account {
  readonly email: string
  stage: Stage
  /** The one that works, or did before a change that was not answered. */
  password: string
  /** The one that was asked for last. */
  wanted: string
  /** A browser that was signed in before the password was changed. */
  elsewhere: string
  /** What the service confirmed. */
  readonly confirmed: { invited: boolean; accepted: boolean; signIns: number }
  /** Changes of the password that took place, confirmed or found out later. */
  changes: number
}

/** Most users of one world: each is worked on by one client at a time. */
const MOST = 12

/** How long a mail may take once nothing is killed any more. */
const LONGEST_MAIL = 60_000

/** What is done to accounts across several runs of the service, and whether it can be told afterwards. */
export class AccountDeeds {
  readonly accounts: Account[] = []
  readonly violations: string[] = []
  readonly #idle: Account[] = []
  readonly #inbox: () => readonly ReceivedMail[]
  #confirmed = 0
  #chainsFollowed = 0

  constructor(inbox: () => readonly ReceivedMail[]) {
    this.#inbox = inbox
  }

  /** Number of confirmed changes. */
  get confirmed(): number {
    return this.#confirmed
  }

  /** How often the audit was verified after a kill. */
  get chainsFollowed(): number {
    return this.#chainsFollowed
  }

  /** Takes one user a step further. */
  async goOn(client: AccountsClient): Promise<void> {
    const account = this.#next()
    if (!account) return
    try {
      await this.#steps[account.stage](client, account)
    } finally {
      this.#idle.push(account)
    }
  }

  /** After every kill the audit is as it was written. */
  async checkChain(client: AccountsClient): Promise<void> {
    const verdict = await client.verdict().catch(asUnknown)
    if (verdict) this.#chainsFollowed += 1
    if (verdict?.isIntact === false) this.violations.push(`the audit is broken at ${verdict.brokenAt}`)
  }

  /** Takes every user to the end: whatever was left open, the link of the mail or the password works. */
  async settle(client: AccountsClient): Promise<void> {
    const deadline = performance.now() + LONGEST_MAIL
    for (const account of this.accounts) {
      while (account.stage !== 'at work' && this.violations.length === 0 && performance.now() < deadline) {
        await this.#steps[account.stage](client, account)
        if (account.stage === 'invited' && !this.#ticketOf(account)) await sleep(20)
      }
      if (account.stage !== 'at work') this.violations.push(`${account.email} is ${account.stage} in the end`)
      else await this.#requireSignIn(client, account)
    }
  }

  #next(): Account | undefined {
    const isRoom = this.accounts.length < MOST
    if (isRoom && Math.random() < 0.3) return this.#another()
    const [known] = this.#idle.splice(Math.floor(Math.random() * this.#idle.length), 1)
    return known ?? (isRoom ? this.#another() : undefined)
  }

  #another(): Account {
    const confirmed = { invited: false, accepted: false, signIns: 0 }
    const empty = { password: '', wanted: '', elsewhere: '' }
    const email = `${randomUUID()}@example.com`
    const account: Account = { email, stage: 'to invite', ...empty, confirmed, changes: 0 }
    this.accounts.push(account)
    return account
  }

  readonly #steps: Readonly<Record<Stage, (client: AccountsClient, account: Account) => Promise<void>>> = {
    'to invite': (client, account) => this.#invite(client, account),
    invited: (client, account) => this.#accept(client, account),
    accepting: (client, account) => this.#findOutAccepted(client, account),
    'at work': (client, account) => this.#change(client, account),
    changing: (client, account) => this.#findOutChanged(client, account),
  }

  /** An invitation without an answer is repeated: it makes no second user. */
  async #invite(client: AccountsClient, account: Account): Promise<void> {
    await client.invite(account.email)
    account.stage = 'invited'
    account.confirmed.invited = true
    this.#confirmed += 1
  }

  async #accept(client: AccountsClient, account: Account): Promise<void> {
    const ticket = this.#ticketOf(account)
    if (ticket === undefined) return
    account.password = newPassword()
    account.stage = 'accepting'
    await client.accept(ticket, account.password)
    account.stage = 'at work'
    account.confirmed.accepted = true
    account.confirmed.signIns += 1
    this.#confirmed += 1
  }

  async #findOutAccepted(client: AccountsClient, account: Account): Promise<void> {
    if (await client.isOpen(this.#ticketOf(account)!)) {
      account.stage = 'invited'
      return
    }
    if (await this.#requireSignIn(client, account)) account.stage = 'at work'
  }

  async #change(client: AccountsClient, account: Account): Promise<void> {
    const [here, elsewhere] = [await this.#requireSignIn(client, account), await this.#requireSignIn(client, account)]
    if (!here || !elsewhere) return
    account.elsewhere = elsewhere
    account.wanted = newPassword()
    account.stage = 'changing'
    const cookie = await client.changePassword(here, account.password, account.wanted)
    this.#changed(account)
    this.#confirmed += 1
    if (!(await client.isSignedIn(cookie))) this.violations.push(`${account.email} was signed out by its own change`)
    if (await client.isSignedIn(elsewhere)) this.violations.push(`${account.email} is still signed in elsewhere`)
  }

  #changed(account: Account): void {
    account.password = account.wanted
    account.stage = 'at work'
    account.changes += 1
  }

  /** The new password or the old one works, and the other browser is signed out with the new one only. */
  async #findOutChanged(client: AccountsClient, account: Account): Promise<void> {
    const isNew = (await this.#signIn(client, account, account.wanted)) !== undefined
    if (!isNew && !(await this.#requireSignIn(client, account))) return
    if ((await client.isSignedIn(account.elsewhere)) === isNew)
      this.violations.push(`${account.email} has the ${isNew ? 'new' : 'old'} password and not the sessions of it`)
    if (isNew) this.#changed(account)
    else account.stage = 'at work'
  }

  async #requireSignIn(client: AccountsClient, account: Account): Promise<string | undefined> {
    const cookie = await this.#signIn(client, account, account.password)
    if (cookie === undefined) this.violations.push(`${account.email} cannot sign in (${account.stage})`)
    return cookie
  }

  async #signIn(client: AccountsClient, account: Account, password: string): Promise<string | undefined> {
    const cookie = await client.signIn(account.email, password)
    if (cookie !== undefined) account.confirmed.signIns += 1
    return cookie
  }

  /** The ticket of a mail that has arrived. */
  #ticketOf({ email }: Account): string | undefined {
    const mail = this.#inbox().find(({ to }) => to.some(({ address }) => address === email))
    const [, ticket] = /\/invitation\?ticket=(\S+)/.exec(mail?.text ?? '') ?? []
    return ticket && decodeURIComponent(ticket)
  }
}

/** The process died while it was asked. */
function asUnknown(error: unknown): undefined {
  if (!(error instanceof Unknown)) throw error
}

const newPassword = (): string => `uma senha ${randomUUID()}`
