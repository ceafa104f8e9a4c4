import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { Caller } from '../rules/caller.ts'
import type { Operation } from '../rules/rights.ts'

/** The app of the platform: the access of a route is an operation of the table of rights, or one of the others here. */
export type PlatformApp = App<
  ErrorCode,
  Record<Operation, Caller> & {
    user: Caller
    administration: Caller
    monitoring: Caller
    billing: Caller
    anonymous: undefined
  }
>
