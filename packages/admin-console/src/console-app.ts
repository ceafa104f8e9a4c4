import type { App } from '@chancela/service-kernel/http'
import type { SessionCaller } from './caller.ts'
import type { CommonConsoleErrorCode, CommonRight } from './contract/index.ts'

/**
 * Who may call a route about their own account: whoever is signed in; the same once their authenticator app is set up,
 * in any role; and each of them soon after a proof of who they are. Every other route names a right.
 */
export type AccountAccess = 'visitor' | 'proven-visitor' | 'account' | 'proven-account'

/** The app of a console: with the access schemes for signed-in callers and for each right. */
export type ConsoleApp<Code extends string = CommonConsoleErrorCode, Right extends string = CommonRight> = App<
  Code,
  Readonly<Record<AccountAccess | Right, SessionCaller>> & { readonly anonymous: undefined }
>
