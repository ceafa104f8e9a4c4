import type { App } from '@chancela/service-kernel/http'
import type { ConsoleCaller } from '../../console/caller.ts'
import type { ConsoleErrorCode } from '../../contract/console-errors.ts'

/** The app of the console: who is signed in, and among them who may administer. */
export type ConsoleApp = App<
  ConsoleErrorCode,
  { visitor: ConsoleCaller; administrator: ConsoleCaller; anonymous: undefined }
>
