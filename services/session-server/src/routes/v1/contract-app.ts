import type { ApiKeyCaller, App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../../contract/errors.ts'

/** The app of the contract: every route is for client applications with a key. */
export type ContractApp = App<ErrorCode, { key: ApiKeyCaller }>
