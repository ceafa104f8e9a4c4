import type { ApiKeyCaller, App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../contract/errors.ts'

export type ContractApp = App<ErrorCode, { key: ApiKeyCaller; anonymous: undefined }>
