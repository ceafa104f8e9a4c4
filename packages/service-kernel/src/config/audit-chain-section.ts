import Type from 'typebox'
import { count } from './setting-kinds.ts'

const HOURLY = 60

/** The section `AuditChain` of a service that chains what it records. */
export const auditChainSection = Type.Object({
  CheckpointMinutes: count(
    { minimum: 1, maximum: 1440, default: HOURLY },
    'Minutes between two signed checkpoints of the audit chain, if something was recorded; one more is made at the stop.',
  ),
})

/** What the settings of a service say; they need not have the section. */
export const checkpointMinutesIn = (settings: unknown): number =>
  (settings as { AuditChain?: { CheckpointMinutes: number } }).AuditChain?.CheckpointMinutes ?? HOURLY
