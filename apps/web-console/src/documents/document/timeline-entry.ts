import type { TimelineEntry } from '../api/types.ts'

/** The parts of an entry, as shown. */
export interface Told {
  readonly by?: string
  /** The participant somebody else acted for. */
  readonly participant?: string
  readonly detail?: string
}

/** Acts of participants, which an application or an administrator may do for them. */
const acts: ReadonlySet<string> = new Set(['Signed', 'SignedElectronically', 'Approved', 'Refused'])

/**
 * Splits the detail of an act that somebody did for a participant: it names the participant, for a refusal followed by
 * the reason. A refusal of the organization itself belongs to no action of the flow, and its detail is the reason alone.
 */
export function tellEntry({ type, agent, flowActionId, detail }: Omit<TimelineEntry, 'id' | 'date'>): Told {
  const by = agent ? { by: agent.name } : {}
  const isForAnother = acts.has(type) && flowActionId !== null && agent !== null && agent.type !== 'Participant'
  if (detail === null) return by
  if (type === 'ActionUrlCreated' || type === 'ActionUrlRevoked') return { ...by, participant: detail }
  if (!isForAnother) return { ...by, detail }
  const [, participant = detail, reason] = (type === 'Refused' && /^(.*?): (.*)$/s.exec(detail)) || []
  return { ...by, participant, ...(reason !== undefined && { detail: reason }) }
}
