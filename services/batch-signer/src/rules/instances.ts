import type { MoveTable } from '@chancela/service-kernel/states'

/** States of a process that works on the store (spec 2, Resources: Cluster instance row). */
export type InstanceState = 'Live' | 'Stopped' | 'Stale'

export const instanceMoves = {
  /** It ended in order. */
  stop: { from: ['Live', 'Stale'], to: 'Stopped' },
  /** It gave no sign of life for too long, or is known to be dead: its jobs are taken over. */
  expire: { from: ['Live'], to: 'Stale' },
  /** It was only slow, or frozen, and gives signs again. */
  revive: { from: ['Stale'], to: 'Live' },
} as const satisfies MoveTable<InstanceState>

/** Whether the last sign of life is too old. */
export const isStale = (lastHeartbeat: string, now: Date, staleAfterSeconds: number): boolean =>
  now.getTime() - Date.parse(lastHeartbeat) > staleAfterSeconds * 1000
