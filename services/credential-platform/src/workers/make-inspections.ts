import { MINUTE } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { type Dependencies, INSPECTION_CHANNEL, makeInspection } from '../actions/inspections/make-inspection.ts'
import { waitingInspections } from '../store/auxiliary.ts'

const AT_ONCE = 10

/** Makes the inspection files that were asked for; one that a killed process left is made by the next. */
export const makeInspections = (dependencies: Dependencies): Worker => {
  const { context } = dependencies
  const options = { name: 'making of inspection files', every: MINUTE, channel: INSPECTION_CHANNEL }
  return sweeper(context, options, async () => {
    const waiting = await waitingInspections(context.store.db, AT_ONCE)
    for (const row of waiting) await makeInspection(dependencies, row, context.clock())
    return waiting.length === AT_ONCE
  })
}
