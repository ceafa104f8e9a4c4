import { createEndedSessions, createListedSessions, type ListedSessionTables } from '@chancela/service-kernel/http'
import type { Migration } from '@chancela/service-kernel/store'
import type { ConsoleRole } from './contract/index.ts'
import { createPasskeys, type PasskeyRow } from './passkey-table.ts'

/** One row of `administrator`. */
export interface AdministratorRow {
  id: string
  name: string
  /** In lower case. */
  email: string
  password_hash: string
  /** TOTP secret in base32, sealed; null until an app is set up. */
  sealed_totp: string | null
  /** Secret of an enrolment that is not confirmed yet, sealed. */
  sealed_new_totp: string | null
  /** The last time step a code was accepted for: it is not accepted twice. */
  totp_step: number | null
  /** Changes with every passkey that is added or removed; null without one. */
  passkey_stamp: string | null
  created_at: string
  last_sign_in_at: string | null
  role: ConsoleRole
}

/** One row of `administrator_guess`: how often somebody guessed at an address. Swept after its time. */
interface AdministratorGuessRow {
  /** A hash of the address. */
  id: string
  guesses: number
  expires_at: string
  /** Whether an administrator has the address: these rows are never pushed out by others. */
  is_known: number
}

/** The kernel's table of administrators; a service with a console adds it to its own. */
export interface AdministratorTables extends ListedSessionTables {
  administrator: AdministratorRow
  administrator_recovery_code: {
    administrator_id: string
    hash: string
  }
  administrator_passkey: PasskeyRow
  administrator_guess: AdministratorGuessRow
}

/** Schema steps of the administrators, under an owner of their own: `{ administrators: administratorMigrations, … }`. */
export const administratorMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'administrators',
    breaking: false,
    async up(db) {
      await db.schema
        .createTable('administrator')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull().unique())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('sealed_totp', 'text')
        .addColumn('sealed_new_totp', 'text')
        .addColumn('totp_step', 'bigint')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('last_sign_in_at', 'text')
        .execute()
    },
  },
  { id: 2, name: 'ended-sessions', breaking: false, up: createEndedSessions },
  { id: 3, name: 'listed-sessions', breaking: false, up: createListedSessions },
  {
    id: 4,
    name: 'recovery-codes',
    breaking: false,
    async up(db) {
      await db.schema
        .createTable('administrator_recovery_code')
        .addColumn('administrator_id', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('administrator_recovery_code_key', ['administrator_id', 'hash'])
        .execute()
    },
  },
  { id: 5, name: 'passkeys', breaking: false, up: createPasskeys },
  {
    id: 6,
    name: 'roles-and-guesses',
    breaking: false,
    async up(db) {
      // Whoever was there before there were roles did everything.
      await db.schema
        .alterTable('administrator')
        .addColumn('role', 'text', (column) => column.notNull().defaultTo('administrator'))
        .execute()
      await db.schema
        .createTable('administrator_guess')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('guesses', 'integer', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .addColumn('is_known', 'integer', (column) => column.notNull())
        .execute()
      const index = (name: string) => db.schema.createIndex(name).on('administrator_guess')
      await index('administrator_guess_age').column('expires_at').execute()
      await index('administrator_guess_unknown').columns(['is_known', 'expires_at']).execute()
    },
  },
]
