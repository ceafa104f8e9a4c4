// The protocol of ICP-Brasil's trust service providers (DOC-ICP-17.01, "v0").
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Question, Route } from '../http.ts'
import type { Operation } from '../operations.ts'
import type { Context } from '../provider-context.ts'
import { maintainApplication, registerApplication } from './application.ts'
import { authorize } from './authorize.ts'
import { discoverCertificates, discoverUser } from './discovery.ts'
import { Grants } from './grants.ts'
import { pollPush } from './push.ts'
import { sign } from './signature.ts'
import { clientToken, exchangeCode, passwordToken, revokeToken } from './token.ts'

/** Every path follows a base that ends in /v0, with any prefix. */
const path = (name: string): RegExp => new RegExp(`^(?:/.+)?/v0/oauth/${name}$`)

/** Outside the base. */
const PUSH_PATH = /^(?:\/.+)?\/valid\/api\/v1\/trusted-services\/authentications$/

export function pscRoutes(context: Context): readonly Route[] {
  const grants = new Grants(context)
  const { quirks } = context
  const route = (
    method: Route['method'],
    name: string,
    operation: Operation,
    answer: (context: Context, grants: Grants, question: Question) => Answer | Promise<Answer>,
  ): Route => ({ method, path: path(name), operation, answer: (question) => answer(context, grants, question) })
  return [
    route('POST', 'application', 'application', registerApplication),
    route('PUT', 'client_maintenance', 'client-maintenance', maintainApplication),
    route('POST', 'client_token', 'client-token', clientToken),
    route('POST', 'user-discovery', 'discovery', async (_, __, question) => {
      await late(quirks.discoveryDelayMs)
      return discoverUser(context, question)
    }),
    route('GET', 'authorize', 'authorize', authorize),
    route('POST', 'token', 'token', exchangeCode),
    route('POST', 'pwd_authorize', 'password', passwordToken),
    route('GET', 'certificate-discovery', 'certificates', discoverCertificates),
    route('POST', 'signature', 'signature', async (_, __, question) => {
      await late(quirks.signatureDelayMs)
      return sign(context, grants, question)
    }),
    route('POST', 'revoke', 'revoke', revokeToken),
    { method: 'GET', path: PUSH_PATH, operation: 'push-poll', answer: (question) => pollPush(context, question) },
  ]
}

const late = async (milliseconds: number): Promise<void> => {
  if (milliseconds > 0) await wait(milliseconds, undefined, { ref: false })
}
