// The holder confirms on the phone (cloud-hub facts 1.8): the hub calls `authorize` itself, gets a code to poll with,
// and finally a token that is exchanged like the code of a redirect.
import { recordOf, textOf } from '../json-values.ts'
import { challengeOf } from '../pkce.ts'
import type { AuthorizationOrder, AuthorizationStep, Confirmation } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { authorizeUrl, PUSH_URI } from './authorization.ts'
import type { PscContext } from './psc-context.ts'

/** Longest code or token that is stored or passed on. */
const LONGEST_CODE = 8192

/** Triggers the push. The state is not sent: it opens the hub's waiting page, and no browser brings it back. */
export async function startPush(
  context: PscContext,
  order: AuthorizationOrder,
  { verifier }: AuthorizationStep['secret'],
): Promise<string> {
  const { exchange, deadlines } = context
  const own = {
    redirect_uri: PUSH_URI,
    code_challenge: challengeOf(String(verifier)),
    login_hint: order.identifier!.value,
  }
  const { body } = await exchange.send({
    method: 'GET',
    url: authorizeUrl(context, order, own),
    shown: 'client',
    deadline: deadlines.call,
    reads: 'text',
  })
  return usable(pushCodeOf(body), 'code')
}

/** `code=…` as text, or the same in JSON. */
const pushCodeOf = (body: unknown): string | undefined =>
  typeof body === 'string' ? /(?:^|[?&\s])code=([^&\s]+)/.exec(body)?.[1] : textOf(recordOf(body).code)

function usable(code: string | undefined, name: 'code' | 'token'): string {
  if (code !== undefined && code.length <= LONGEST_CODE) return code
  throw new ProviderProblem('garbage', { found: code ? `${name}-too-long` : `no-${name}` })
}

/** Asks whether the holder has decided. No retry here: the waiting page polls again. */
export async function pollPush(
  { pushPollUrl, exchange, deadlines }: PscContext,
  pushCode: string,
): Promise<Confirmation> {
  try {
    const { body } = await exchange.send({
      method: 'GET',
      url: `${pushPollUrl}?code=${encodeURIComponent(pushCode)}`,
      shown: 'code',
      deadline: deadlines.call,
      reads: 'anything',
    })
    const token = textOf(recordOf(body).authorizationToken)
    return token === undefined ? 'pending' : { code: usable(token, 'token') }
  } catch (error) {
    const said = error instanceof ProviderProblem ? saidBy(error) : undefined
    if (said === undefined) throw error
    return said
  }
}

/** 304 means that the holder has not decided yet; no provider documents what a refusal looks like. */
function saidBy({ status, kind, code }: ProviderProblem): Confirmation | undefined {
  if (status === 304) return 'pending'
  const isDenial = status === 403 || code?.toLowerCase() === 'access_denied'
  return kind === 'refused' && isDenial ? 'denied' : undefined
}
