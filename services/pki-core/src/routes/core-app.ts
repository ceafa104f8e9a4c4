import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { Caller, Operation, RootCaller, RootOperation } from '../rules/rights.ts'

export type CoreApp = App<
  ErrorCode,
  Record<Operation, Caller> & Record<RootOperation, RootCaller> & { anonymous: undefined }
>
