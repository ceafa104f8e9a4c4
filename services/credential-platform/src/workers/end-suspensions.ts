import { MINUTE } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { endSuspensions as endAll } from '../actions/degrees/end-suspensions.ts'
import type { Context } from '../context.ts'

/** Makes degrees valid again whose suspension is over. */
export const endSuspensions = (context: Context): Worker =>
  sweeper(context, { name: 'ending of suspensions', every: 5 * MINUTE }, () => endAll(context, context.clock()))
