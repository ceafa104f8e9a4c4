// One CSC server: its address, its dialect, and calls of its methods.
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { finding } from '../../contract/provider-findings.ts'
import type { CscKnobs } from '../../contract/provider-knobs.ts'
import type { AdapterContext } from '../adapter-context.ts'
import type { Shown } from '../answer-problems.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { cscProblem } from './csc-problems.ts'
import { type Dialect, dialects } from './dialects.ts'

/** What an adapter of this protocol needs. */
export interface CscServer extends AdapterContext<CscKnobs> {
  readonly dialect: Dialect
}

export const cscServer = (context: AdapterContext<CscKnobs>): CscServer => ({
  ...context,
  dialect: dialects[context.knobs.version],
})

interface MethodCall {
  /** Milliseconds. */
  readonly deadline: number
  readonly bearer?: string
  readonly signal?: AbortSignal | undefined
  /** Whether repeating the call is safe. */
  readonly safe?: boolean
}

/** Calls a method of the API; throws `garbage` when the answer does not match the schema. */
export async function callMethod<S extends TSchema>(
  { endpoint, exchange, knobs: { lang } }: CscServer,
  method: string,
  body: Readonly<Record<string, unknown>>,
  schema: S,
  { bearer, ...call }: MethodCall,
): Promise<Static<S>> {
  const answer = await exchange.send({
    ...call,
    method: 'POST',
    url: `${endpoint}/${method}`,
    json: { ...body, ...(lang !== undefined && { lang }) },
    shown: bearer === undefined ? 'nothing' : 'token',
    problemOf: cscProblem,
    ...(bearer !== undefined && { bearer }),
  })
  return shaped(schema, answer.body, method)
}

/** Calls an endpoint of the authorization server, with the hub's credentials in the configured place. */
export async function callAuthorizationServer(
  { exchange, knobs, clientId, clientSecret, deadlines }: CscServer,
  url: string,
  fields: Readonly<Record<string, string>>,
  { shown, reads = 'json' }: { readonly shown: Shown; readonly reads?: 'json' | 'anything' },
): Promise<unknown> {
  const inBody = knobs.clientAuthentication === 'body'
  const { body } = await exchange.send({
    method: 'POST',
    url,
    form: { ...fields, client_id: clientId, ...(inBody && { client_secret: clientSecret }) },
    ...(!inBody && { headers: { authorization: basic(clientId, clientSecret) } }),
    shown,
    reads,
    problemOf: cscProblem,
    deadline: deadlines.call,
  })
  return body
}

/** RFC 6749 §2.3.1: both parts are form-encoded first. */
function basic(id: string, secret: string): string {
  const [user, password] = [id, secret].map((part) => encodeURIComponent(part))
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The answer, if it matches the schema. */
export function shaped<S extends TSchema>(schema: S, body: unknown, what: string): Static<S> {
  if (Value.Check(schema, body)) return body as Static<S>
  throw new ProviderProblem('garbage', { found: finding('answer-lacks', { call: what }) })
}
