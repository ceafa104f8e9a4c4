import { sweepOrphans } from '@chancela/service-kernel/blobs'
import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { Files } from '../parts/files/files.ts'
import { referencedBlobs, takeSweep } from '../store/blob-references.ts'
import { purgeEarlier } from '../store/earlier-signatures.ts'
import { purgePrepared } from '../store/prepared-signatures.ts'
import { purgeUploads } from '../store/uploads.ts'

const AT_ONCE = 500

/** Deletes uploads and prepared signatures that nobody may use any more and, once a day, bytes that no row refers to. */
export const sweepFiles = (context: Context, { blobs }: Pick<Files, 'blobs'>): Worker =>
  sweeper(context, { name: 'cleanup of files', every: 5 * MINUTE }, async () => {
    const now = context.clock()
    const uploads = await writeAlone(context.store, (db) => purgeUploads(db, now, AT_ONCE))
    const signatures = await writeAlone(context.store, (db) => purgePrepared(db, now, AT_ONCE))
    const earlier = await writeAlone(context.store, (db) => purgeEarlier(db, now, AT_ONCE))
    if ([uploads, signatures, earlier].includes(AT_ONCE)) return true
    if (!(await takeSweep(context.store.db, plus(now, -DAY), now))) return false
    // Bytes are stored before the row that refers to them; no request takes this long.
    const swept = await sweepOrphans(blobs, (digests) => referencedBlobs(context.store.db, digests), HOUR, now)
    context.logger.info({ asOf: now, ...swept }, 'orphaned blobs removed')
    return false
  })
