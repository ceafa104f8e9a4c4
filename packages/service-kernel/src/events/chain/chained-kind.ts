/** Rows of one table that get links, as data. Links outlive the program: nothing here changes once they exist. */
export interface ChainedKind {
  /** What the links call such a record; another list of covered columns is another kind. */
  readonly kind: string
  readonly table: string
  readonly key: readonly string[]
  /** Names the record in its link, which stays when the record is gone: a column that tells nothing of a person. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** What a link covers: a change of any of these is found. */
  readonly covered: readonly string[]
  /** What may lawfully change, or only follows from the rest. */
  readonly uncovered: readonly string[]
}

/** The events of a service. */
export const chainedEvents: ChainedKind = {
  kind: 'event',
  table: 'audit_event',
  key: ['id'],
  id: 'id',
  at: 'at',
  covered: ['id', 'at', 'type', 'actor', 'subject_kind', 'subject_id', 'code', 'text', 'data'],
  // Made of the others, and of translations that a later version may word differently.
  uncovered: ['search_text'],
}
