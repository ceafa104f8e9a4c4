import type { CommonConsoleErrorCode } from '../contract/index.ts'
import type { App } from '../http/index.ts'
import type { ConsoleCaller } from './caller.ts'

/** The app of a console: who is signed in, and among them who may administer. */
export type ConsoleApp<Code extends string = CommonConsoleErrorCode> = App<
  Code,
  { visitor: ConsoleCaller; administrator: ConsoleCaller; anonymous: undefined }
>
