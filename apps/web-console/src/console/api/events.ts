import { pagedQuery } from './live.ts'
import type { AuditEvent } from './types.ts'

/** Filters of the events, as in the URL. */
export interface EventFilters {
  readonly type?: string
  readonly q?: string
}

export const eventsQuery = (filters: EventFilters) => pagedQuery<AuditEvent>('events', { ...filters })
