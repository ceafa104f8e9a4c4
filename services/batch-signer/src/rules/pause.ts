import { MAX_REASON_LENGTH } from './job.ts'
import { refuse } from './refuse.ts'

/** The two transitions of the one flag (spec 2, Pause). */
export const pauseMoves = {
  pause: { paused: true, eventType: 'PipelinePaused', verb: 'paused' },
  resume: { paused: false, eventType: 'PipelineResumed', verb: 'resumed' },
} as const

export type PauseMove = keyof typeof pauseMoves

/** The stored reason: trimmed, undefined when blank; `validation.reason-too-long` beyond the limit. */
export function reasonOf(text: string | null | undefined): string | undefined {
  const reason = text?.trim()
  if (reason && reason.length > MAX_REASON_LENGTH)
    throw refuse('validation.reason-too-long', { limit: MAX_REASON_LENGTH })
  return reason || undefined
}

/** The text of a transition in the event log. */
export const pauseText = (move: PauseMove, actor: string, reason: string | undefined): string =>
  `Pipeline ${pauseMoves[move].verb} by ${actor}.${reason === undefined ? '' : ` Reason: ${reason}`}`
