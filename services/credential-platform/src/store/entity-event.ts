// An event of an organization as the audit tells of it, for exports.
import type { AuditEvent } from '@chancela/service-kernel/events'
import { eventSentence } from '../rules/event-texts.ts'
import type { EntityEventRow } from './tenant-tables.ts'

export function entityEventOf(row: EntityEventRow): AuditEvent {
  const { id, at, type, subscription_id, actor_kind, actor_id, actor_name, entity_type, entity_id } = row
  const actor = { type: actor_kind, id: actor_id, name: actor_name }
  return {
    id,
    at: new Date(at),
    type,
    actor: actor_name,
    ...(row.address !== null && { address: row.address }),
    subject: { kind: entity_type, id: entity_id },
    text: eventSentence('en-US', type),
    data: { subscriptionId: subscription_id, actor, ...(row.data !== null && { details: JSON.parse(row.data) }) },
    changes: row.changes === null ? undefined : JSON.parse(row.changes),
  }
}
