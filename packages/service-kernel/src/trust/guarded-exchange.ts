import { createHttpExchange, type HttpExchange } from '@chancela/signature-engine/judgement'
import { SECOND } from '../clock/index.ts'
import { addressPolicy, guardedConnect } from '../http-client/index.ts'

const CONNECT_TIMEOUT = 10 * SECOND

/** Certificates name addresses, and anybody can write a certificate: the instance's own network stays out of reach. */
export function guardedExchange(allowedHosts: readonly string[]): HttpExchange {
  const policy = addressPolicy({ allowed: allowedHosts, allowHttp: true })
  return createHttpExchange({
    allowed: ({ href }) => policy.refusesUrl(href) === undefined,
    connect: guardedConnect({ policy, timeout: CONNECT_TIMEOUT }),
  })
}
