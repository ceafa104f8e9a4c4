import type { App } from '@chancela/service-kernel/http'
import type { SessionCaller } from './caller.ts'
import type { CommonConsoleErrorCode } from './contract/index.ts'

/** Who may call a route: whoever is signed in, an administrator, and each of them soon after a proof of who they are. */
export type ConsoleAccess = 'visitor' | 'proven-visitor' | 'administrator' | 'proven'

/** The app of a console: with the access schemes for signed-in callers and for administrators. */
export type ConsoleApp<Code extends string = CommonConsoleErrorCode> = App<
  Code,
  Readonly<Record<ConsoleAccess, SessionCaller>> & { readonly anonymous: undefined }
>
