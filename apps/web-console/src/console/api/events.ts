import { pagedQuery } from './live.ts'
import type { AuditEvent } from './types.ts'

/** Which events are shown; as it stands in the address. */
export interface EventFilters {
  readonly type?: string
  readonly q?: string
}

export const eventsQuery = (filters: EventFilters) => pagedQuery<AuditEvent>('events', { ...filters })
