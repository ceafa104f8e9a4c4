/** Why a question ended, as its signal says it. */
const endReasons = ['answered', 'declined', 'timed-out', 'taken-back', 'disconnected', 'stopped'] as const

export type EndReason = (typeof endReasons)[number]

/** Why the holder is asked no more. */
export type Withdrawal = Extract<EndReason, 'taken-back' | 'disconnected' | 'stopped'>

/** The reason of a signal that ended a question; undefined for other signals. */
export const endReasonOf = ({ reason }: AbortSignal): EndReason | undefined =>
  endReasons.find((known) => known === reason)
