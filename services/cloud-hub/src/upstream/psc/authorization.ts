import { plus, SECOND } from '@chancela/service-kernel/clock'
import { identifierTypes } from '../../contract/models.ts'
import type { PscKnobs } from '../../contract/provider-knobs.ts'
import type { Identifier } from '../../rules/requested-identifier.ts'
import { type JsonRecord, recordOf, secondsOf, textOf } from '../json-values.ts'
import { pairsOf } from '../knobs.ts'
import { newPkce } from '../pkce.ts'
import type { AuthorizationOrder, AuthorizationStep, Grant } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { PscContext } from './psc-context.ts'
import { allowanceOf, scopeOf } from './scopes.ts'

/** The data of a grant of this protocol. */
export interface PscGrantData extends JsonRecord {
  readonly token: string
}

/** Longest token that is stored: larger ones would fill the database with data that is never sent back. */
const MAX_TOKEN = 16_384

/** Lifetime in seconds of a token without one: that of a typical token for one signature. */
const UNSAID_SECONDS = 300

/** Redirect URI that stands for the holder's phone; the provider adds it to registrations itself. */
export const PUSH_URI = 'push://'

/** Where to send the holder (cloud-hub facts 1.3): to the provider, or to the hub's waiting page for a push. */
export function beginAuthorization(context: PscContext, order: AuthorizationOrder, state: string): AuthorizationStep {
  const { verifier, challenge: code_challenge } = newPkce()
  const { identifier, callbackUri: redirect_uri, waitingUri } = order
  if (context.knobs.push && identifier && !order.atPage)
    return { url: `${waitingUri}?state=${state}`, secret: { verifier, redirectUri: PUSH_URI }, push: true }
  const hint = context.knobs.loginHint && identifier ? { login_hint: identifier.value } : {}
  return { url: authorizeUrl(context, order, { redirect_uri, state, code_challenge, ...hint }), secret: { verifier } }
}

/** The URL of `authorize`, with the given parameters beside the constant ones. */
export function authorizeUrl(
  { knobs, urlOf, clientId }: PscContext,
  order: AuthorizationOrder,
  own: Readonly<Record<string, string>>,
): string {
  const url = new URL(urlOf('authorize'))
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    code_challenge_method: 'S256',
    scope: scopeOf(order.type),
    lifetime: String(lifetimeOf(knobs, order)),
    ...own,
    ...pairsOf(knobs.authorizeParameters),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Only a request: some providers refuse one above their limit. */
function lifetimeOf(knobs: PscKnobs, { lifetimeSeconds, identifier }: AuthorizationOrder): number {
  const longest = identifier?.type === 'CNPJ' ? knobs.maxLifetimeSecondsCnpj : knobs.maxLifetimeSecondsCpf
  return Math.min(Math.max(1, Math.floor(lifetimeSeconds)), longest)
}

/** Exchanges the code (row 6 of the norm's services). */
export async function redeemCode(
  context: PscContext,
  order: AuthorizationOrder,
  secret: AuthorizationStep['secret'],
  code: string,
): Promise<Grant> {
  const { knobs, urlOf, clientId, clientSecret, exchange, deadlines, clock } = context
  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: clientSecret,
    code,
    code_verifier: String(secret.verifier),
    // Must equal the one sent to `authorize`.
    redirect_uri: textOf(secret.redirectUri) ?? order.callbackUri,
    ...pairsOf(knobs.tokenParameters),
  }
  const { body } = await exchange.send({
    method: 'POST',
    url: urlOf('token'),
    ...(knobs.tokenBody === 'json' ? { json: fields } : { form: fields }),
    shown: 'code',
    deadline: deadlines.call,
  })
  return grantOf(recordOf(body), order, context.knobs, clock())
}

function grantOf(answer: JsonRecord, order: AuthorizationOrder, knobs: PscKnobs, now: Date): Grant {
  const token = textOf(answer.access_token)
  if (token === undefined || token.length > MAX_TOKEN)
    throw new ProviderProblem('garbage', { found: token ? 'token-too-long' : 'no-token' })
  const holder = holderOf(answer)
  const { calls, maxHashes = Number.POSITIVE_INFINITY } = allowanceOf(answer.scope, order.type)
  const most = Math.min(maxHashes, knobs.maxHashesPerCall ?? Number.POSITIVE_INFINITY)
  return {
    expiresAt: plus(now, (secondsOf(answer.expires_in) ?? UNSAID_SECONDS) * SECOND).toISOString(),
    ...(holder && { holder }),
    calls,
    ...(Number.isFinite(most) && { maxHashes: most }),
    data: { token } satisfies PscGrantData,
  }
}

/** The person the provider says it authenticated. */
function holderOf(answer: JsonRecord): Identifier | undefined {
  const type = identifierTypes.find((name) => name === answer.authorized_identification_type)
  const value = textOf(answer.authorized_identification)?.replace(/[\s./-]/g, '')
  return type && value ? { type, value } : undefined
}
