import { type AuditEvent, type EventRow, toEvent } from '../event.ts'
import type { ChainedRecord } from './link.ts'

/** Rows of one table that get links, as data. Links outlive the program: nothing here changes once they exist. */
export interface ChainedKind {
  /** What the links call such a record. */
  readonly kind: string
  readonly table: string
  readonly key: readonly string[]
  /** Columns of the key that are integers; the others are texts. */
  readonly numbers?: readonly string[]
  /** Names the record in its link, which stays when the record is gone: a column that tells nothing of a person. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** What a link covers: a change of any of these is found. */
  readonly covered: readonly string[]
  /**
   * Covered columns that the table got after its first links: part of a record only where they have a value, so that
   * links of before still fit, and giving an old record a value or taking one away is found all the same.
   */
  readonly added?: readonly string[]
  /** A record as an event, where it tells of one: exports have it among the others. */
  readonly event?: (record: ChainedRecord) => AuditEvent
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
  added: ['address', 'changes'],
  // Made of the others, and of translations that a later version may word differently.
  uncovered: ['search_text'],
  event: (record) => toEvent(record as unknown as EventRow),
}

/** The columns that a link covers, for a list in SQL. */
export const coveredColumns = ({ covered, added = [] }: ChainedKind): string => [...covered, ...added].join(', ')

/** A row as a link covers it. */
export function coveredRecord(
  { added = [] }: ChainedKind,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null || !added.includes(name)))
}
