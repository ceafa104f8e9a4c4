import { type App, serve } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../../contract/errors.ts'
import { rescanFolders } from '../../contract/rescan.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import { actorOf, type Operator } from '../operator-access.ts'

/** Serves the rescan of input folders. */
export function serveRescan(
  app: App<ErrorCode, { key: Operator; anonymous: undefined }>,
  intake: Pick<Intake, 'rescan'>,
): void {
  serve(app, rescanFolders, ({ query: { folder }, caller }) => intake.rescan(folder, actorOf(caller)))
}
