// Rows of the registry: rules of an institute, who did what with a request, and the lines of the book.

/** One row of `registry_settings`; an institute without one follows the defaults. */
export interface RegistrySettingsRow {
  institute_id: string
  /** 1: whoever took a request in does not approve it, and nobody annuls alone. */
  requires_two_people: number
  /** Days from a list of annulled degrees to the latest day of the next. */
  list_days: number
  updated_at: string
}

export const registryActs = ['create', 'accept', 'approve', 'propose-annulment'] as const
export type RegistryAct = (typeof registryActs)[number]

/** One row of `registration_act`: who did it, where somebody else has to do the next. */
export interface RegistrationActRow {
  registration_id: string
  act: RegistryAct
  actor_kind: string
  actor_id: string
  /** JSON. */
  data: string | null
  at: string
}

/** One row of `book_entry`: a line of a registrar's book. It stays, whatever becomes of the degree. */
export interface BookEntryRow {
  institute_id: string
  /** Book, and number or sheet and sequence. */
  entry: string
  item_id: string
  created_at: string
}

export interface RegistryTables {
  registry_settings: RegistrySettingsRow
  registration_act: RegistrationActRow
  book_entry: BookEntryRow
}
