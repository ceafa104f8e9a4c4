import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { Caller } from '../rules/caller.ts'

/** The app of the platform: routes are for members of an organization unless they declare another scheme. */
export type PlatformApp = App<
  ErrorCode,
  {
    member: Caller
    user: Caller
    administration: Caller
    monitoring: Caller
    billing: Caller
    anonymous: undefined
  }
>
