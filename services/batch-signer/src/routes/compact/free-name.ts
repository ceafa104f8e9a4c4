import type { Db } from '@chancela/service-kernel/store'
import { refuse } from '../../rules/refuse.ts'
import { isNameActive } from '../../store/compact-reads.ts'
import type { Tables } from '../../store/tables.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'

/** Refuses a name that is in the Processing folder (spec 2, Compact): that of an active job, or of a file put there. */
export async function requireFreeName(
  { db, work }: { readonly db: Db<Tables>; readonly work: Pick<WorkArea, 'isProcessing'> },
  fileName: string,
): Promise<void> {
  if ((await isNameActive(db, fileName)) || (await work.isProcessing(fileName)))
    throw refuse('job.already-processing', { fileName })
}
