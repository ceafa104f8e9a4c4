import { type Actor, nameOf } from './actor.ts'
import { MAX_REASON_LENGTH } from './job.ts'
import { refuse } from './refuse.ts'
import { type Said, said, together } from './sentences.ts'

/** The two transitions of the one flag (spec 2, Pause). */
export const pauseMoves = {
  pause: { paused: true, eventType: 'PipelinePaused', sentence: 'pipeline-paused' },
  resume: { paused: false, eventType: 'PipelineResumed', sentence: 'pipeline-resumed' },
} as const

export type PauseMove = keyof typeof pauseMoves

/** The stored reason: trimmed, undefined when blank; `validation.reason-too-long` beyond the limit. No store keeps NUL. */
export function reasonOf(text: string | null | undefined): string | undefined {
  const reason = text?.trim()
  if (reason && reason.length > MAX_REASON_LENGTH)
    throw refuse('validation.reason-too-long', { limit: MAX_REASON_LENGTH })
  if (reason?.includes('\u0000')) throw refuse('request.invalid', { fields: { reason: ['must not contain NUL'] } })
  return reason || undefined
}

/** A transition in the event log. */
export const saidPause = (move: PauseMove, actor: Actor, reason: string | undefined): Said =>
  together(
    said(pauseMoves[move].sentence, { actor: nameOf(actor) }),
    reason !== undefined && said('reason-given', { reason }),
  )
