// The other systems that a service depends on: told, and no reason to take no more work.
import { type Clock, SECOND } from '../clock/index.ts'
import { type AddressPolicy, createHttpClient } from '../http-client/index.ts'
import { lasting } from './lasting.ts'
import type { Check, CheckResult, Readiness } from './readiness.ts'

export interface UpstreamContext {
  readonly clock: Clock
  readonly readiness: Pick<Readiness, 'add'>
}

/** Adds the check of another system, which is asked once a minute at most, and does not gate. */
export function watchUpstream({ clock, readiness }: UpstreamContext, name: string, check: Check): void {
  readiness.add(name, lasting(check, { clock }), { gates: false })
}

export interface WatchedAddress {
  readonly url: string
  /** Left out where only the operator sets the address. */
  readonly policy?: AddressPolicy
}

const LIMIT_MS = 3 * SECOND
const ANSWER_BYTES = 65_536

/** Watches a server by HTTP, without any credentials: one that refuses what it is asked is there. */
export function watchAddress(
  context: UpstreamContext & { readonly closing: { add(what: string, close: () => Promise<void>): void } },
  name: string,
  { url, policy }: WatchedAddress,
): void {
  const limits = { connectTimeoutMs: LIMIT_MS, deadlineMs: LIMIT_MS, maxAnswerBytes: ANSWER_BYTES }
  const client = createHttpClient({ ...limits, ...(policy && { policy }) })
  context.closing.add(`the look at ${name}`, () => client.close())
  watchUpstream(context, name, async (signal) => answered(await client.exchange({ method: 'HEAD', url, signal })))
}

/** What an answer to such a question tells. */
export const answered = ({ status }: { readonly status: number }): CheckResult =>
  status < 500 ? { ok: true, detail: 'It answers.' } : { ok: false, detail: `It answers ${status}.` }
