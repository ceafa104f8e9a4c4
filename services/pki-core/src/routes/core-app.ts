import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { CompletingCaller, PageCaller } from '../parts/bio/bio-access.ts'
import type { Caller, Operation, RootCaller, RootOperation } from '../rules/rights.ts'
import type { SessionRow } from '../store/session-tables.ts'

interface OtherCallers {
  anonymous: undefined
  'bio.page': PageCaller
  'bio.complete': CompletingCaller
  'session-page': SessionRow
}

export type CoreApp = App<ErrorCode, Record<Operation, Caller> & Record<RootOperation, RootCaller> & OtherCallers>
