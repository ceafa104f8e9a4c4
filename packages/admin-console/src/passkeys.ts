// The passkeys of an administrator: added, renamed, removed.
import { randomUUID } from 'node:crypto'
import type { EventChanges } from '@chancela/service-kernel/events'
import { type Call, endSessionsOf } from '@chancela/service-kernel/http'
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import { findAdministrator, forgetRecoveryCodes } from './administrator-rows.ts'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import { act, actorOf } from './audit.ts'
import type { SessionCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import type { addPasskey } from './contract/index.ts'
import { hasFactor } from './factors.ts'
import { ASKED_FOR, type PasskeyQuestions } from './passkey-questions.ts'
import { forgetStamp, passkeysOf, stampPasskeys } from './passkey-rows.ts'
import type { PasskeyRow } from './passkey-table.ts'
import { refuse } from './refuse.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { ALGORITHMS, handleOf, keyOf, type PasskeyKey } from './verify-passkeys.ts'

type Request = Call['request']

/** A phone, a laptop and some keys; browsers are sent all of them. */
const MOST = 20

type Named = Static<typeof addPasskey.body>

export class Passkeys {
  readonly #context: ConsoleContext
  readonly #questions: PasskeyQuestions

  constructor(context: ConsoleContext, questions: PasskeyQuestions) {
    this.#context = context
    this.#questions = questions
  }

  /** The site of a request; refuses where browsers know no passkeys. */
  partyOf(request: Request): RelyingParty {
    const party = relyingPartyOf(request, this.#context.settings.Console.PublicUrl)
    if (!party) throw refuse('PASSKEYS_UNAVAILABLE')
    return party
  }

  list({ id }: Pick<SessionCaller, 'id'>): Promise<readonly PasskeyRow[]> {
    return passkeysOf(this.#context.store.db, id)
  }

  /** What a browser is asked for a new passkey, with the cookie of the question. */
  async plan(request: Request, caller: SessionCaller) {
    const { id, name, email } = await this.own(caller)
    const party = this.partyOf(request)
    const present = await this.#roomFor(this.#context.store.db, id)
    const { challenge, cookie } = this.#questions.ask({ what: 'passkey', who: id })
    const plan = {
      challenge,
      rp: { id: party.id, name: 'Chancela' },
      user: { id: handleOf(id), name: email, displayName: name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: ASKED_FOR,
      attestation: 'none' as const,
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      // One device has one passkey of an administrator.
      excludeCredentials: present.map(descriptorOf),
    }
    return { plan, cookie }
  }

  /** The passkey, and its administrator as they are from now on, whose sessions have ended. */
  async add(request: Request, caller: SessionCaller, { name, passkey }: Named, now: Date) {
    const { logger, store } = this.#context
    const { id } = await this.own(caller)
    const party = this.partyOf(request)
    const challenge = await this.#questions.take(request, { what: 'passkey', who: id })
    const key = challenge === undefined ? undefined : await keyOf(passkey, { challenge, party }, logger)
    if (!key) throw refuse('PASSKEY_INVALID')
    const row = newRow(id, { name, passkey }, key, party, now)
    try {
      return await store.transaction((tx) => this.#insert(tx, caller, row))
    } catch (error) {
      throw isUniqueViolation(error) ? refuse('PASSKEY_INVALID', undefined, error) : error
    }
  }

  async #insert(tx: Db<AdministratorTables>, caller: SessionCaller, row: PasskeyRow) {
    const administrator = await stampPasskeys(tx, caller.id)
    if (!administrator) throw refuse('UNAUTHORIZED')
    await this.#roomFor(tx, caller.id)
    await tx.insertInto('administrator_passkey').values(row).execute()
    await endSessionsOf(tx, { who: caller.id })
    const changes = { before: {}, after: shown(row) }
    await this.#context.events.record(tx, passkeyEvent('PasskeyAdded', caller, row, changes))
    return { row, administrator }
  }

  async rename(caller: SessionCaller, id: string, name: string): Promise<PasskeyRow> {
    const { store, events } = this.#context
    await this.own(caller)
    return store.transaction(async (tx) => {
      const before = await ownPasskey(tx, caller, id)
      const after = { ...before, name: name.trim() }
      await tx.updateTable('administrator_passkey').set({ name: after.name }).where('id', '=', id).execute()
      const changes = { before: { name: before.name }, after: { name: after.name } }
      await events.record(tx, passkeyEvent('PasskeyRenamed', caller, before, changes))
      return after
    })
  }

  /** The administrator as they are from now on, whose sessions have ended. */
  async remove(caller: SessionCaller, id: string): Promise<AdministratorRow> {
    const { store, events } = this.#context
    await this.own(caller)
    return store.transaction(async (tx) => {
      // First the lock: two who remove the last two at once leave one.
      await stampPasskeys(tx, caller.id)
      const row = await ownPasskey(tx, caller, id)
      await tx.deleteFrom('administrator_passkey').where('id', '=', id).execute()
      const administrator = await this.#without(tx, caller)
      await endSessionsOf(tx, { who: caller.id })
      const changes = { before: shown(row), after: {} }
      await events.record(tx, passkeyEvent('PasskeyRemoved', caller, row, changes))
      return administrator
    })
  }

  /** Who is left without the passkey that was just removed; refuses to leave nobody a factor where one is required. */
  async #without(tx: Db<AdministratorTables>, { id }: SessionCaller): Promise<AdministratorRow> {
    const left = await passkeysOf(tx, id)
    const administrator = left.length > 0 ? await findAdministrator(tx, id) : await forgetStamp(tx, id)
    if (!administrator) throw refuse('UNAUTHORIZED')
    if (hasFactor(administrator)) return administrator
    if (this.#context.settings.Auth.RequireSecondFactor) throw refuse('LAST_SECOND_FACTOR')
    await forgetRecoveryCodes(tx, id)
    return administrator
  }

  /** The row of whoever is signed in; the identity provider looks after the factors of its own. */
  async own({ id, way }: Pick<SessionCaller, 'id' | 'way'>): Promise<AdministratorRow> {
    if (way === 'oidc') throw refuse('AT_IDENTITY_PROVIDER')
    const found = await findAdministrator(this.#context.store.db, id)
    if (!found) throw refuse('UNAUTHORIZED')
    return found
  }

  async #roomFor(db: Db<AdministratorTables>, administratorId: string): Promise<readonly PasskeyRow[]> {
    const present = await passkeysOf(db, administratorId)
    if (present.length >= MOST) throw refuse('TOO_MANY_PASSKEYS')
    return present
  }
}

async function ownPasskey(tx: Db<AdministratorTables>, caller: SessionCaller, id: string): Promise<PasskeyRow> {
  const found = (await passkeysOf(tx, caller.id)).find((row) => row.id === id)
  if (!found) throw refuse('PASSKEY_NOT_FOUND', { id })
  return found
}

const newRow = (
  administratorId: string,
  { name, passkey: { transports = [] } }: Named,
  key: PasskeyKey,
  { id: rpId }: RelyingParty,
  now: Date,
): PasskeyRow => ({
  ...key,
  id: randomUUID(),
  administrator_id: administratorId,
  rp_id: rpId,
  transports: JSON.stringify(transports),
  name: name.trim(),
  created_at: now.toISOString(),
  last_used_at: null,
})

/** How a browser finds a passkey. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  type: 'public-key' as const,
  id: credential_id,
  transports: JSON.parse(transports) as string[],
})

/** What an audit may say of a passkey. */
const shown = ({ id, name, rp_id }: PasskeyRow) => ({ passkey: id, name, host: rp_id })

const passkeyEvent = (
  type: 'PasskeyAdded' | 'PasskeyRenamed' | 'PasskeyRemoved',
  caller: SessionCaller,
  { name }: PasskeyRow,
  changes: EventChanges,
) => act(type, actorOf(caller), ['administrator', caller.id], { email: caller.email, name: `“${name}”` }, changes)
