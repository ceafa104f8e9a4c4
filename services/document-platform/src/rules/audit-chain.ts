// The audit of an organization is a chain: each entry is sealed together with the seal of the one before.
import { createHmac } from 'node:crypto'
import type { AuditEntryRow } from '../store/tables.ts'

/** What stands in an entry besides its seal. */
export type AuditContent = Omit<AuditEntryRow, 'hash'>

/** The seal before the first entry. */
export const CHAIN_BEGIN = ''

/**
 * The seal of an entry. It is keyed: who can write the database and does not have the master key cannot make the chain
 * fit again after a change.
 */
export const auditHash = (key: Buffer, previous: string, row: AuditContent): string =>
  createHmac('sha256', key)
    .update(
      JSON.stringify([
        previous,
        row.organization_id,
        row.number,
        row.at,
        row.kind,
        row.actor_type,
        row.actor_id,
        row.actor_name,
        row.ip,
        row.subject_kind,
        row.subject_id,
        row.subject_name,
        row.before,
        row.after,
      ]),
    )
    .digest('base64url')

/** A place in a chain: the number of an entry and its seal. */
export interface ChainPlace {
  readonly number: number
  readonly hash: string
}

/** Where some entries in a row lead from a place; or the number of the first that does not follow. */
export function followed(
  key: Buffer,
  from: ChainPlace,
  rows: readonly AuditEntryRow[],
): ChainPlace | { readonly brokenAt: number } {
  let place = from
  for (const { hash, ...content } of rows) {
    const number = place.number + 1
    if (content.number !== number || auditHash(key, place.hash, content) !== hash) return { brokenAt: number }
    place = { number, hash }
  }
  return place
}
