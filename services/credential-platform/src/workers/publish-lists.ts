import { MINUTE } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { type Dependencies, makeList, scheduler } from '../actions/lists/make-list.ts'
import { isListDue } from '../rules/lists.ts'
import { activeRegistrars, annulledDegrees, newestList } from '../store/auxiliary.ts'

/** Makes the list of every registrar that is due (credentials-platform facts 2.6). */
export const publishLists = (dependencies: Dependencies): Worker => {
  const { context } = dependencies
  return sweeper(context, { name: 'making of lists of annulled degrees', every: 10 * MINUTE }, async () => {
    const { db } = context.store
    for (const institute of await activeRegistrars(db)) {
      const now = context.clock()
      const annulled = (await annulledDegrees(db, institute.id)).length
      if (!isListDue(await newestList(db, institute.id), annulled, now)) continue
      try {
        await makeList(dependencies, institute, scheduler, now)
      } catch (error) {
        // Another process made it; or the institution's own data are not acceptable, which others need not suffer from.
        if (!(error instanceof Refusal)) throw error
        context.logger.warn({ err: error, instituteId: institute.id }, 'no list of annulled degrees')
      }
    }
    return false
  })
}
