import { HOUR } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import {
  applyRestamps,
  type Dependencies,
  planRestamps,
  readArchives,
  retryRestamps,
} from '../actions/restamps/restamps.ts'

/** Finds archives that end, plans their renewal and renews those that are due (credentials-platform facts 1.8). */
export const renewArchives = (dependencies: Dependencies): Worker => {
  const { context } = dependencies
  return sweeper(context, { name: 'renewal of archives', every: 6 * HOUR }, async () => {
    const isUnread = await readArchives(dependencies)
    const now = context.clock()
    const isUnplanned = await planRestamps(dependencies, now)
    const isFailed = await retryRestamps(dependencies, now)
    return (await applyRestamps(dependencies, now)) || isUnread || isUnplanned || isFailed
  })
}
