import type { Language } from '../../shared/i18n/languages.ts'
import { pagedQuery } from './live.ts'
import type { AuditEvent } from './types.ts'

/** Filters of the events, as in the URL. */
export interface EventFilters {
  readonly type?: string
  readonly q?: string
}

/** Told in the language of the page. */
export const eventsQuery = (filters: EventFilters, language: Language) =>
  pagedQuery<AuditEvent>('events', { ...filters, language })
