import type { Migration } from '@chancela/service-kernel/store'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of credentials for wallets. */
export const walletMigrations: readonly Migration[] = [
  { id: 1, name: 'wallet-credentials', breaking: false, up: (db) => createTables(db, tables, indexes) },
  { id: 2, name: 'wallet-offers', breaking: false, up: (db) => createTables(db, offers, offerIndexes) },
]

const must = 'text not null'
const ofInstitute = 'text not null references institute (id)'

const tables: TableColumns = {
  wallet_issuer: { institute_id: 'text primary key references institute (id)', address: must, created_at: must },
  wallet_key: {
    id: 'text primary key',
    institute_id: ofInstitute,
    public_key: must,
    sealed_key: must,
    created_at: must,
    retired_at: 'text',
    revoked_at: 'text',
  },
  wallet_entry: {
    item_id: 'text primary key',
    institute_id: ofInstitute,
    list: 'integer not null',
    position: 'integer not null',
    salt: must,
    created_at: must,
  },
}

const offers: TableColumns = {
  wallet_offer: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    item_kind: must,
    item_id: must,
    ticket_hash: must,
    created_at: must,
    expires_at: must,
    used_at: 'text',
  },
}

const ended = "status in ('Canceled', 'CanceledTemporarily')"

const indexes: readonly string[] = [
  'index wallet_key_institute on wallet_key (institute_id, created_at)',
  // One key signs; whoever makes another at the same moment finds this one.
  'unique index wallet_key_current on wallet_key (institute_id) where retired_at is null and revoked_at is null',
  // A place in a list is given once, whatever becomes of its document.
  'unique index wallet_entry_place on wallet_entry (institute_id, list, position)',
  // What a status list is made of: few of many.
  `index degree_ended on degree (institute_id) where ${ended}`,
  `index academic_transcript_ended on academic_transcript (institute_id) where ${ended}`,
]

const offerIndexes: readonly string[] = [
  'unique index wallet_offer_ticket on wallet_offer (ticket_hash)',
  'index wallet_offer_over on wallet_offer (expires_at)',
]
