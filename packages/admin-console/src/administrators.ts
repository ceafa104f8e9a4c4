// The local administrators, as the console and the operator on the machine manage them.
import { randomUUID } from 'node:crypto'
import {
  changesOf,
  type EventActor,
  type EventChanges,
  type EventLog,
  type NewEvent,
} from '@chancela/service-kernel/events'
import { clientNetwork, endSessionsOf } from '@chancela/service-kernel/http'
import type { FactNames } from '@chancela/service-kernel/i18n'
import { hashPassword, weaknessOf } from '@chancela/service-kernel/secrets'
import { type Db, isUniqueViolation, type Store } from '@chancela/service-kernel/store'
import { findAdministrator, forgetRecoveryCodes, lockAdministrators } from './administrator-rows.ts'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import { act } from './audit.ts'
import type { CommonEventType, ConsoleRole } from './contract/index.ts'
import type { commonEventTexts } from './event-texts.ts'
import { forgetPasskeys } from './passkey-rows.ts'
import { refuse } from './refuse.ts'

/** What managing administrators needs. */
export interface AdministratorContext {
  readonly store: Store<AdministratorTables>
  readonly events: EventLog
  /** The setting Auth:PasswordCost. */
  readonly passwordCost: number
}

export interface NewAdministrator {
  readonly name: string
  readonly email: string
  readonly password: string
  /** Default: an administrator. */
  readonly role?: ConsoleRole
}

/** Normalizes an address for storage and comparison. */
export const addressOf = (email: string): string => email.trim().toLowerCase()

/** Refuses a password that is guessed within moments. */
export function requireUncommon(password: string, { name, email }: Pick<NewAdministrator, 'name' | 'email'>): void {
  const weakness = weaknessOf(password, [name, email])
  if (weakness) throw refuse('PASSWORD_TOO_COMMON', { password: weakness })
}

/** Passwords that one client sends wait behind one another. */
const lineOf = (actor: EventActor): string => (typeof actor === 'string' ? actor : clientNetwork(actor.address))

export async function createAdministrator(
  { store, events, passwordCost }: AdministratorContext,
  { name, email, password, role = 'administrator' }: NewAdministrator,
  actor: EventActor,
  now: Date,
): Promise<AdministratorRow> {
  requireUncommon(password, { name, email })
  const administrator: AdministratorRow = {
    id: randomUUID(),
    name: name.trim(),
    email: addressOf(email),
    password_hash: await hashPassword(password, passwordCost, lineOf(actor)),
    sealed_totp: null,
    sealed_new_totp: null,
    totp_step: null,
    passkey_stamp: null,
    created_at: now.toISOString(),
    last_sign_in_at: null,
    role,
  }
  try {
    await store.transaction(async (tx) => {
      await tx.insertInto('administrator').values(administrator).execute()
      const changes = { before: {}, after: shown(administrator) }
      await events.record(tx, event('AdministratorCreated', actor, administrator, changes))
    })
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('ADMINISTRATOR_EMAIL_TAKEN', { email: administrator.email }, error) : error
  }
  return administrator
}

/** Removes an administrator with their sessions. */
export const removeAdministrator = (
  { store, events }: AdministratorContext,
  id: string,
  actor: EventActor,
): Promise<void> =>
  store.transaction(async (tx) => {
    await lockAdministrators(tx)
    const administrator = await findAdministrator(tx, id)
    if (!administrator) throw refuse('ADMINISTRATOR_NOT_FOUND', { id })
    await requireAnother(tx, id)
    await tx.deleteFrom('administrator').where('id', '=', id).execute()
    await forgetRecoveryCodes(tx, id)
    await forgetPasskeys(tx, id)
    await endSessionsOf(tx, { who: id })
    const changes = { before: shown(administrator), after: {} }
    await events.record(tx, event('AdministratorRemoved', actor, administrator, changes))
  })

/** Removes the authenticator app, also an unconfirmed one, and the passkeys, with the recovery codes. */
export const resetSecondFactor = (
  { store, events }: AdministratorContext,
  id: string,
  actor: EventActor,
): Promise<void> =>
  store.transaction(async (tx) => {
    const former = await factorsOf(tx, id)
    const reset = await tx
      .updateTable('administrator')
      .set({ sealed_totp: null, sealed_new_totp: null, passkey_stamp: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!reset) throw refuse('ADMINISTRATOR_NOT_FOUND', { id })
    await forgetRecoveryCodes(tx, id)
    await forgetPasskeys(tx, id)
    await endSessionsOf(tx, { who: id })
    await events.record(tx, event('SecondFactorReset', actor, reset, changesOf(former, { app: false, passkeys: 0 })))
  })

/** Which second factors somebody has. */
async function factorsOf(tx: Db<AdministratorTables>, id: string) {
  const found = await tx.selectFrom('administrator').select('sealed_totp').where('id', '=', id).executeTakeFirst()
  const keys = await tx.selectFrom('administrator_passkey').select('id').where('administrator_id', '=', id).execute()
  return { app: (found?.sealed_totp ?? null) !== null, passkeys: keys.length }
}

/** Somebody else must be left who may do everything; whoever asks has locked the rows. */
export async function requireAnother(tx: Db<AdministratorTables>, id: string): Promise<void> {
  const others = tx.selectFrom('administrator').select('id').where('role', '=', 'administrator').where('id', '!=', id)
  if (!(await others.executeTakeFirst())) throw refuse('LAST_ADMINISTRATOR')
}

/** What an audit may say of an administrator. */
const shown = ({ name, email, role }: AdministratorRow) => ({ name, email, role })

/** Events whose sentence names the administrator, and nothing else. */
type OfAdministrator = {
  [Type in CommonEventType]: FactNames<typeof commonEventTexts, Type> extends 'email' ? Type : never
}[CommonEventType]

export const event = (
  type: OfAdministrator,
  actor: EventActor,
  { id, email }: Pick<AdministratorRow, 'id' | 'email'>,
  changes?: EventChanges,
): NewEvent => act(type, actor, ['administrator', id], { email }, changes)
