import { type App, serve } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../../contract/errors.ts'
import { listFolders, releaseFolder } from '../../contract/folders.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import { actorOf, type Operator } from '../operator-access.ts'
import { displayLanguage } from './culture.ts'

/** Serves the list of input folders, and the release of their held files. */
export function serveFolders(
  app: App<ErrorCode, { key: Operator; anonymous: undefined }>,
  intake: Pick<Intake, 'folders' | 'instance' | 'release'>,
): void {
  serve(app, listFolders, async (call) => ({
    instance: intake.instance,
    folders: await intake.folders(displayLanguage(call)),
  }))
  serve(app, releaseFolder, ({ params: { name }, caller }) => intake.release(name, actorOf(caller)))
}
