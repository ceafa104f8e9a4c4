import type { App } from '@chancela/service-kernel/http'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operator } from '../operator-access.ts'

/** The app of the full surface: routes are for operators unless declared anonymous. */
export type FullApp = App<ErrorCode, { key: Operator; anonymous: undefined }>
