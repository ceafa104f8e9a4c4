import { type ActionStatus, type ActionType, actionKinds, type documentMoves } from './vocabulary.ts'

/** The part of a flow that decides how it continues. */
export interface FlowState {
  readonly actions: readonly ActionState[]
}

export interface ActionState {
  readonly id: string
  readonly type: ActionType
  readonly step: number
  readonly status: ActionStatus
  readonly required: number
  /** Whether a rule stays open after a refusal while enough others can act. */
  readonly goesOn: boolean
  readonly participants: readonly { readonly id: string; readonly acted: boolean; readonly refused: boolean }[]
}

/** An act of a participant. */
export interface Act {
  readonly participantId: string
  readonly act: 'complete' | 'refuse'
}

/** The effects of an act: changed statuses, and the document's move, if any. */
export interface Progress {
  readonly changed: ReadonlyMap<string, ActionStatus>
  /** Actions that become pending. */
  readonly released: readonly string[]
  readonly move: Extract<keyof typeof documentMoves, 'concludeFlow' | 'refuse'> | undefined
}

/** The first step of a new flow. */
export const firstStep = (steps: readonly number[]): number => Math.min(...steps)

/** Whether a participant can act now. */
export const canAct = (action: ActionState, participantId: string): boolean =>
  action.status === 'Pending' &&
  action.participants.some(({ id, acted, refused }) => id === participantId && !acted && !refused)

/**
 * How a flow continues after an act that `canAct` allowed (document-platform facts 1.6): an action ends when enough of
 * its participants have acted, or when too few who can act are left; the next step is released when no action of this
 * one is open.
 */
export function progressAfter(
  { actions }: FlowState,
  { participantId, act }: Act,
  { refusalEndsDocument }: { readonly refusalEndsDocument: boolean },
): Progress {
  const action = actions.find(({ participants }) => participants.some(({ id }) => id === participantId))!
  const ended = act === 'complete' ? afterCompletion(action) : afterRefusal(action)
  const changed = new Map<string, ActionStatus>()
  if (!ended) return { changed, released: [], move: undefined }
  changed.set(action.id, ended)
  const later = actions.map((each) => ({ step: each.step, id: each.id, status: changed.get(each.id) ?? each.status }))
  if (ended === 'Refused' && (refusalEndsDocument || !isAnyOpen(later)))
    return { changed, released: [], move: 'refuse' }
  if (later.some(({ status }) => status === 'Pending')) return { changed, released: [], move: undefined }
  const waiting = later.filter(({ status }) => status === 'Created')
  if (waiting.length === 0) return { changed, released: [], move: outcomeOf(later) }
  const next = firstStep(waiting.map(({ step }) => step))
  const released = waiting.filter(({ step }) => step === next).map(({ id }) => id)
  for (const id of released) changed.set(id, 'Pending')
  return { changed, released, move: undefined }
}

type Ended = Extract<ActionStatus, 'Completed' | 'Refused'>

const afterCompletion = ({ participants, required }: ActionState): Ended | undefined =>
  participants.filter(({ acted }) => acted).length + 1 >= required ? 'Completed' : undefined

function afterRefusal({ type, participants, required, goesOn }: ActionState): Ended | undefined {
  if (!actionKinds[type].isRule || !goesOn) return 'Refused'
  const refused = participants.filter((one) => one.refused).length + 1
  return participants.length - refused >= required ? undefined : 'Refused'
}

const isAnyOpen = (actions: readonly { readonly status: ActionStatus }[]): boolean =>
  actions.some(({ status }) => status === 'Created' || status === 'Pending')

/** A flow in which no action was completed is refused, even where refusals are allowed. */
const outcomeOf = (actions: readonly { readonly status: ActionStatus }[]): 'concludeFlow' | 'refuse' =>
  actions.some(({ status }) => status === 'Completed') ? 'concludeFlow' : 'refuse'
