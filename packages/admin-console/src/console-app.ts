import type { App } from '@chancela/service-kernel/http'
import type { ConsoleCaller } from './caller.ts'
import type { CommonConsoleErrorCode } from './contract/index.ts'

/** The app of a console: who is signed in, and among them who may administer. */
export type ConsoleApp<Code extends string = CommonConsoleErrorCode> = App<
  Code,
  { visitor: ConsoleCaller; administrator: ConsoleCaller; anonymous: undefined }
>
