import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listEvents } from '../../contract/events.ts'
import { askedOf } from '../../rules/paging.ts'
import { platformWordsInBoth } from '../../rules/platform-words.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { listEvents as listRows } from '../../store/entity-events.ts'
import type { EntityEventRow } from '../../store/tenant-tables.ts'

const view = (row: EntityEventRow) => ({
  id: row.id,
  date: row.at,
  type: row.type,
  entityType: row.entity_type,
  entityId: row.entity_id,
  actor: { type: row.actor_kind, id: row.actor_id, name: row.actor_name },
  data: row.data === null ? null : withWords(JSON.parse(row.data)),
  address: row.address,
  changes: row.changes === null ? null : JSON.parse(row.changes),
})

const typesOf = (text: string | undefined): readonly string[] | undefined => {
  const types = text?.split(',').map((type) => type.trim())
  return types?.some((type) => type !== '') ? types : undefined
}

/** What was done in the caller's organization. */
export async function readEvents(
  { store }: Context,
  { subscriptionId }: Caller,
  query: Static<typeof listEvents.query>,
) {
  const { page, pageSize, limit, offset } = askedOf(query)
  const entityId = query.entityId === undefined ? undefined : idOf(query.entityId)
  const asked = { subscriptionId, entityId, entityTypes: typesOf(query.entityTypes), limit, offset }
  return { items: (await listRows(store.db, asked)).map(view), page, pageSize }
}

/** A reason of the service's own is told in both languages; one that somebody gave is as it was given. */
function withWords(data: { readonly reason?: unknown }) {
  const reasonMessages = typeof data.reason === 'string' ? platformWordsInBoth(data.reason) : null
  return reasonMessages ? { ...data, reasonMessages } : data
}
