// The third custody: the server's own PKCS#11 tokens and HSM partitions, each in a process of its own.
import type { EventActor } from '@chancela/service-kernel/events'
import type { Context } from '../../context.ts'
import { refuseAtConsole } from '../../rules/refuse.ts'
import { heldCertificate } from '../../store/certificate-rows.ts'
import type { CertificateRow } from '../../store/tables.ts'
import { act } from '../console/audit.ts'
import { KeptPins } from './kept-pins.ts'
import { ServerToken, type TokenState } from './server-token.ts'
import { readShown, removeOfOtherTokens, writeShown } from './token-certificates.ts'
import { TokenProblem } from './token-host.ts'
import type { TokenKey } from './token-key.ts'

/** Result of trying a PIN on the certificates of a CPF. */
export type TokensAnswer =
  | { readonly kind: 'confirmed'; readonly row: CertificateRow; readonly key: TokenKey }
  /** What each of the tokens said. */
  | { readonly kind: 'refused'; readonly answers: readonly ('differs' | 'cannot-tell')[] }

interface TokensOptions {
  /** A certificate is no longer held: sessions on it end. */
  readonly gone: (certificateId: string, now: Date) => Promise<void>
  /** A login is gone: sessions that rest on it end. */
  readonly lost: (now: Date) => Promise<void>
}

type TokensContext = Pick<Context, 'store' | 'secrets' | 'events' | 'settings' | 'logger' | 'clock' | 'readiness'>

export class Tokens {
  readonly #context: TokensContext
  readonly #options: TokensOptions
  readonly #tokens: ReadonlyMap<string, ServerToken>
  readonly #kept: KeptPins
  readonly #states = new Map<string, TokenState>()
  #looking: Promise<void> | undefined

  constructor(context: TokensContext, options: TokensOptions) {
    const { settings, logger, clock } = context
    const kept = new KeptPins(context)
    this.#kept = kept
    const lost = () =>
      void options.lost(clock()).catch((error: unknown) => logger.error({ err: error }, 'sessions were not ended'))
    this.#context = context
    this.#options = options
    this.#tokens = new Map(
      settings.ServerTokens.Tokens.map((each) => [
        each.Name,
        new ServerToken(each, settings.ServerTokens.AnswerSeconds, { context, kept, lost }),
      ]),
    )
    for (const token of this.#tokens.values()) {
      // Not a gate: without it everything else works.
      context.readiness.add(`token:${token.name}`, async () => this.#verdict(token.name), { gates: false })
    }
  }

  get areThere(): boolean {
    return this.#tokens.size > 0
  }

  /**
   * Tries a PIN on certificates of one CPF. First where that costs a token no try: compared with the PIN in use there, with
   * the last that it accepted, or with the holder's own.
   */
  async confirm(rows: readonly CertificateRow[], pin: string): Promise<TokensAnswer> {
    const answers: ('differs' | 'cannot-tell')[] = []
    const unknown: (readonly [ServerToken, CertificateRow])[] = []
    for (const row of rows) {
      const token = this.#tokens.get(row.token ?? '')
      const answer = await token?.recognize(row, pin)
      if (answer?.kind === 'confirmed') return { ...answer, row }
      if (token && !answer) unknown.push([token, row])
      else answers.push(answer?.kind ?? 'cannot-tell')
    }
    for (const [token, row] of unknown) {
      const answer = await token.present(row, pin)
      if (answer.kind === 'confirmed') return { ...answer, row }
      answers.push(answer.kind)
    }
    return { kind: 'refused', answers }
  }

  /** Whose PIN opens a certificate of a token: that of the token, or one that was set for its holder or is missing. */
  pinOf(token: string | null, isSet: boolean): 'token' | 'set' | 'missing' | null {
    const known = token === null ? undefined : this.#tokens.get(token)
    if (!known) return null
    if (!known.isOperators) return 'token'
    return isSet ? 'set' : 'missing'
  }

  /**
   * An administrator sets the PIN of a holder, and sessions of the former end; on a token with its holder's own, they prove
   * it, so that it is known to be right.
   */
  async setPin(id: string, pin: string, actor: EventActor, now: Date): Promise<void> {
    const { store, events } = this.#context
    const row = await heldCertificate(store.db, id)
    if (!row) throw refuseAtConsole('CERTIFICATE_NOT_FOUND')
    const token = this.#tokens.get(row.token ?? '')
    if (!token) throw refuseAtConsole('CERTIFICATE_NOT_ON_TOKEN')
    if (!token.isOperators) await prove(token, pin)
    const sealed_pin = token.isOperators ? await this.#kept.sealForCertificate(id, pin) : null
    await store.transaction(async (tx) => {
      const held = tx
        .updateTable('certificate')
        .set({ sealed_pin })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
      const { numUpdatedRows } = await held.executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw refuseAtConsole('CERTIFICATE_NOT_FOUND')
      const facts = { holder: row.subject_name, token: token.name }
      await events.record(tx, act('CertificatePinSet', actor, ['certificate', id], facts))
    })
    if (token.isOperators) await this.#options.gone(id, now)
  }

  /** Looks at every token; callers at the same time share a look. */
  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Forgets certificates of tokens that the settings name no more. */
  start(now: Date): Promise<void> {
    return removeOfOtherTokens(this.#context.store, [...this.#tokens.keys()], now)
  }

  close(): void {
    for (const token of this.#tokens.values()) token.close()
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all([...this.#tokens.values()].map((token) => this.#lookAt(token)))
  }

  async #lookAt(token: ServerToken): Promise<void> {
    const { store, logger, clock } = this.#context
    const state = await token.look()
    const before = this.#states.get(token.name)
    this.#states.set(token.name, state)
    if (!state.ok) {
      if (before?.ok !== false) logger.error({ token: token.name, problem: state.detail }, 'token cannot be used')
      return
    }
    const { records, others } = readShown(state.certificates)
    if (before?.ok !== true) logger.info({ token: token.name, certificates: records.length, others }, 'token is there')
    const now = clock()
    for (const id of await writeShown(store, token.name, records, now)) await this.#options.gone(id, now)
  }

  #verdict(name: string): { readonly ok: boolean; readonly detail: string } {
    const state = this.#states.get(name)
    if (!state) return { ok: false, detail: 'Nobody has looked at it yet.' }
    return state.ok ? { ok: true, detail: 'The token is there.' } : { ok: false, detail: state.detail }
  }
}

async function prove(token: ServerToken, pin: string): Promise<void> {
  const refused = await token.prove(pin).catch((error: unknown) => {
    if (!(error instanceof TokenProblem)) throw error
    throw refuseAtConsole('TOKEN_UNAVAILABLE', { reason: error.message }, error)
  })
  if (refused) throw refuseAtConsole('TOKEN_PIN_REFUSED', { reason: refused })
}
