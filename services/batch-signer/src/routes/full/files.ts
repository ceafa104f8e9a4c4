import { type App, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { uploadFile } from '../../contract/files.ts'
import { refuse } from '../../rules/refuse.ts'
import { isNameActive } from '../../store/compact-reads.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import type { Operator } from '../operator-access.ts'

/** Serves the upload of files. */
export function serveFiles(
  app: App<ErrorCode, { key: Operator; anonymous: undefined }>,
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  intake: Pick<Intake, 'upload'>,
): void {
  // While names are signed once, the ledger refuses them in the transaction that records the job.
  const acceptName = settings.Pipeline.RejectAlreadyProcessedFileNames ? undefined : requireInactive
  serve(app, uploadFile, ({ request, query: { format, profile } }) =>
    intake.upload({ request, format, profile, ...(acceptName && { acceptName }) }),
  )

  /** Where names may come again, two at a time would still write one output. */
  async function requireInactive(fileName: string): Promise<void> {
    if (await isNameActive(store.db, fileName)) throw refuse('job.already-processing', { fileName })
  }
}
