import type { App } from '@chancela/service-kernel/http'
import type { SessionCaller } from './caller.ts'
import type { CommonConsoleErrorCode } from './contract/index.ts'

/** The app of a console: with the access schemes for signed-in callers and for administrators. */
export type ConsoleApp<Code extends string = CommonConsoleErrorCode> = App<
  Code,
  { visitor: SessionCaller; administrator: SessionCaller; anonymous: undefined }
>
