import { sweepOrphans } from '@chancela/service-kernel/blobs'
import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { referencedBlobs, takeSweep } from '../store/blob-references.ts'

/** Once a day, removes bytes that no row refers to: what a killed process or a refused request left. */
export const sweepBlobs = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of files', every: HOUR }, async () => {
    const { store, blobs, clock, logger } = context
    const now = clock()
    if (!(await takeSweep(store.db, plus(now, -DAY), now))) return false
    // Bytes are stored before the row that refers to them; no request takes this long.
    const swept = await sweepOrphans(blobs, (digests) => referencedBlobs(store.db, digests), HOUR, now)
    logger.info({ asOf: now, ...swept }, 'orphaned blobs removed')
    return false
  })
