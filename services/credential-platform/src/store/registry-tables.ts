// Rows of the registry: rules of an institute, who did what with a request, and the lines of the book.
import type { RestampedDocument } from '../contract/vocabulary.ts'

/** One row of `registry_settings`; an institute without one follows the defaults. */
export interface RegistrySettingsRow {
  institute_id: string
  /** 1: whoever took a request in does not approve it, and nobody annuls or restores alone. */
  requires_two_people: number
  /** Days from a list of annulled degrees to the latest day of the next. */
  list_days: number
  updated_at: string
}

export type RegistryAct = 'create' | 'accept' | 'approve'

/** One row of `registration_act`: who did it, where somebody else has to do the next. */
export interface RegistrationActRow {
  registration_id: string
  act: RegistryAct
  actor_kind: string
  actor_id: string
  at: string
}

export type ProposedAct = 'annul' | 'restore'

/** One row of `proposal`: what one person asked for, and another has to ask for as well. */
export interface ProposalRow {
  item_id: string
  act: ProposedAct
  actor_kind: string
  actor_id: string
  /** JSON: what both have to agree on. */
  terms: string
  created_at: string
}

/** One row of `book_entry`: a line of a registrar's book. It stays, whatever becomes of the degree. */
interface BookEntryRow {
  institute_id: string
  /** Book, and number or sheet and sequence. */
  entry: string
  item_id: string
  created_at: string
}

/** One row of `archive`: until when the archive of a signed file holds; one that was renewed holds longer. */
export interface ArchiveRow {
  item_id: string
  document_type: RestampedDocument
  subscription_id: string
  institute_id: string
  /** Of the file. */
  name: string
  /** Of the version that was read. */
  digest: string
  /** Verification code, or what else names the document. */
  identifier: string
  expires_at: string
}

export interface RegistryTables {
  archive: ArchiveRow
  registry_settings: RegistrySettingsRow
  registration_act: RegistrationActRow
  book_entry: BookEntryRow
  proposal: ProposalRow
}
