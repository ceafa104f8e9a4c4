export { AuditChain } from './chain/audit-chain.ts'
export { ownAuditKeys, sealedAuditKeys } from './chain/audit-key.ts'
export { exportChain, headOfExport, readExport } from './chain/chain-export.ts'
export { addChainSequence, type ChainTables, createAuditChain } from './chain/chain-tables.ts'
export { type ChainedKind, chainedEvents } from './chain/chained-kind.ts'
export { type Checkpoint, checkpointsIn } from './chain/checkpoint.ts'
export { readCheckpointKeys } from './chain/checkpoints.ts'
export type { ChainHead } from './chain/link.ts'
export { fitLinks, lacksRecords } from './chain/links-of-records.ts'
export { type OpenedAudit, openAudit } from './chain/open-audit.ts'
export { readChain } from './chain/read-chain.ts'
export {
  type ChainProblem,
  type ChainVerdict,
  chainProblems,
  type VerifyOptions,
  verifyChain,
} from './chain/verify-chain.ts'
export { changesOf } from './changes-of.ts'
export type { AuditEvent, EventActor, EventChanges, EventSubject, EventTables, NewEvent } from './event.ts'
export { createEventLog, type EventFilter, type EventLog, type EventPage } from './event-log.ts'
export { type EventExport, type EventText, eventFormats, exportEvents } from './export-events.ts'
export { chainMigrations, eventMigrations } from './migrations.ts'
export { redact } from './redact.ts'
