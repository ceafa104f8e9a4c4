import { type App, serve } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../../contract/errors.ts'
import { uploadFile } from '../../contract/files.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import type { Operator } from '../operator-access.ts'

/** Serves the upload of files. */
export function serveFiles(
  app: App<ErrorCode, { key: Operator; anonymous: undefined }>,
  intake: Pick<Intake, 'upload'>,
): void {
  serve(app, uploadFile, ({ request, query: { format, profile } }) => intake.upload({ request, format, profile }))
}
