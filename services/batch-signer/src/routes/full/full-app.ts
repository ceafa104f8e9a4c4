import { type AccessScheme, type App, problemDetails } from '@chancela/service-kernel/http'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { ApproverSession } from '../approver-access.ts'
import { frameworkErrors } from '../framework-errors.ts'
import type { Operator } from '../operator-access.ts'

/** The app of the full surface: routes are for operators unless declared anonymous. */
export type FullApp = App<ErrorCode, { key: Operator; anonymous: undefined }>

/** The same with the routes of approvers, who are no operators. */
export type PortalApp = App<ErrorCode, { key: Operator; approver: ApproverSession; anonymous: undefined }>

const DESCRIPTION = `Signs files in bulk from watched folders and uploads.

Errors are RFC 9457 problems; dispatch on \`code\`. Every protected route takes the key in \`X-API-Key\`, or the cookie of
an operator who signed in; those of the approver portal take the cookie of an approver instead.`

/** Options of the full surface's app for `createSurfaceApp`. */
export const fullAppOptions = <Schemes extends { readonly key: AccessScheme<Operator> }>(schemes: Schemes) => ({
  description: DESCRIPTION,
  dialect: problemDetails,
  vocabulary: errors,
  frameworkErrors,
  refusesUnknownNames: true,
  schemes,
})
