export type { AuditEvent, EventSubject, EventTables, NewEvent } from './event.ts'
export { createEventLog, type EventFilter, type EventLog, type EventPage } from './event-log.ts'
export { eventMigrations } from './migrations.ts'
export { redact } from './redact.ts'
