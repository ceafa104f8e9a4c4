// Calls to the world outside: one client with a deadline, a size limit and rules about addresses.
export { type AddressPolicy, type AddressPolicyOptions, addressPolicy } from './address-policy.ts'
export { AddressRefused, guardedConnect } from './guarded-connect.ts'
export { createHttpClient, type HttpClient } from './http-client.ts'
export { HttpProblem, type HttpProblemKind } from './http-problem.ts'
export type { HttpAnswer, HttpArrival } from './pending-answer.ts'
export { isRedirect } from './redirects.ts'
