// Outgoing calls: one client with a deadline, a size limit and an address policy.
export { type AddressPolicy, type AddressPolicyOptions, addressPolicy } from './address-policy.ts'
export { asFetch } from './as-fetch.ts'
export { createHttpClient, type HttpClient } from './http-client.ts'
export { HttpProblem, type HttpProblemKind } from './http-problem.ts'
export type { HttpRequest } from './http-request.ts'
export type { HttpAnswer, HttpArrival } from './pending-answer.ts'
export { readWhole } from './read-whole.ts'
export { isRedirect } from './redirects.ts'
