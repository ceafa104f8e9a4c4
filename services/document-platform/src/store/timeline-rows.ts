import { newRowId } from '@chancela/service-kernel/store'
import type { Agent } from '../rules/vocabulary.ts'
import type { TimelineRow } from './tables.ts'

/** Types of events in a document's history. */
export type TimelineType =
  | 'Created'
  | 'Released'
  | 'Signed'
  | 'SignedElectronically'
  | 'Approved'
  | 'Refused'
  | 'FlowConcluded'
  | 'Concluded'
  | 'Canceled'
  | 'Expired'
  | 'Deleted'
  | 'FlowEdited'
  | 'NewVersion'
  | 'Stamped'
  | 'NotStamped'
  | 'Moved'
  | 'Reminded'
  | 'CodeSent'
  | 'ActionUrlCreated'
  | 'ActionUrlRevoked'
  | 'LinkSent'

interface TimelineEntry {
  readonly documentId: string
  readonly type: TimelineType
  readonly agent?: Omit<Agent, 'type'> & { readonly type: Agent['type'] | 'Participant' }
  readonly actionId?: string | null
  readonly detail?: string | null
}

export const timelineRow = ({ documentId, type, agent, actionId, detail }: TimelineEntry, now: Date): TimelineRow => ({
  id: newRowId(now),
  document_id: documentId,
  at: now.toISOString(),
  type,
  agent_id: agent?.id ?? null,
  agent_name: agent?.name ?? null,
  agent_type: agent?.type ?? null,
  action_id: actionId ?? null,
  detail: detail ?? null,
})
