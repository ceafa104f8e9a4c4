import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { Caller, Operation } from '../rules/rights.ts'

export type CoreApp = App<ErrorCode, Record<Operation, Caller> & { anonymous: undefined }>
