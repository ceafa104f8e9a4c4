import type { SessionCaller } from '@chancela/admin-console'
import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'
import type { Caller, Operation, SystemCaller, SystemOperation } from '../rules/rights.ts'

interface OtherCallers {
  anonymous: undefined
  visitor: SessionCaller
  'proven-visitor': SessionCaller
}

export type CredentialApp = App<
  ErrorCode,
  Record<Operation, Caller> & Record<SystemOperation, SystemCaller> & OtherCallers
>
