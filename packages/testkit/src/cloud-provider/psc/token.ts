import { type Answer, json, type Question, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import { answersChallenge, type Grants, isScope, type Token } from './grants.ts'
import { refuse } from './refusals.ts'
import { wholeSeconds } from './whole-seconds.ts'

/** POST oauth/token: a code becomes a token. */
export function exchangeCode(context: Context, grants: Grants, question: Question): Answer {
  const { body } = question
  if (!isReadable(context, question)) return refuse(context, 'invalid_request', 'The body has the wrong media type.')
  if (body.grant_type !== 'authorization_code') {
    return refuse(context, 'unsupported_grant_type', 'Send grant_type=authorization_code.')
  }
  const client = context.clients.authenticate(textOf(body, 'client_id'), textOf(body, 'client_secret'))
  if (!client) return refuse(context, 'invalid_client', 'Unknown client or wrong secret.')
  // Taken before the checks: guessing a code or its verifier allows one try.
  const code = grants.takeCode(textOf(body, 'code') ?? '')
  const isRight =
    code?.client.clientId === client.clientId &&
    code.redirectUri === textOf(body, 'redirect_uri') &&
    answersChallenge(textOf(body, 'code_verifier'), code.challenge)
  return isRight
    ? tokenAnswer(context, grants.giveToken(code))
    : refuse(context, 'invalid_grant', 'The code is not valid.')
}

function isReadable({ quirks: { tokenBody } }: Context, { mediaType }: Question): boolean {
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  const isJson = mediaType === 'application/json'
  return (isForm && tokenBody !== 'json') || (isJson && tokenBody !== 'form')
}

/** POST oauth/pwd_authorize: a token for credentials the holder typed at the client. */
export function passwordToken(context: Context, grants: Grants, { body }: Question): Answer {
  const client = context.clients.authenticate(textOf(body, 'client_id'), textOf(body, 'client_secret'))
  if (!client) return refuse(context, 'invalid_client', 'Unknown client or wrong secret.')
  if (body.grant_type !== 'password') return refuse(context, 'unsupported_grant_type', 'Send grant_type=password.')
  const scope = textOf(body, 'scope') ?? 'single_signature'
  if (!isScope(scope)) return refuse(context, 'invalid_scope', 'There is no such scope.')
  const outcome = context.accounts.login(textOf(body, 'username') ?? '', textOf(body, 'password') ?? '')
  if (outcome.kind !== 'welcome') return refuse(context, 'invalid_grant', 'Wrong username or password.')
  const { account } = outcome
  const slot = textOf(body, 'slot_alias')
  const credential = account.credentials.find(({ alias }) => alias === slot)
  if (slot !== undefined && !credential) return refuse(context, 'invalid_request', 'There is no such slot.')
  const lifetimeSeconds = grants.lifetimeFor(account, scope, wholeSeconds(body.lifetime))
  const grant = { client, account, scope, lifetimeSeconds, ...(credential && { credential }) }
  return tokenAnswer(context, grants.giveToken(grant))
}

function tokenAnswer({ quirks }: Context, { value, scope, lifetimeSeconds, account }: Token): Answer {
  const granted = [scope, ...quirks.extraScopes].filter((one) => !quirks.withheldScopes.includes(one))
  return json(200, {
    access_token: value,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    ...(!quirks.omitScope && { scope: granted.join(' ') }),
    ...(!quirks.omitIdentification && {
      authorized_identification_type: account.type,
      authorized_identification: account.identifier,
    }),
  })
}

/** POST oauth/client_token: the application itself, without the use of any key. */
export function clientToken(context: Context, grants: Grants, { body }: Question): Answer {
  if (body.grant_type !== 'client_credentials') {
    return refuse(context, 'unsupported_grant_type', 'Send grant_type=client_credentials.')
  }
  const client = context.clients.authenticate(textOf(body, 'client_id'), textOf(body, 'client_secret'))
  if (!client) return refuse(context, 'invalid_client', 'Unknown client or wrong secret.')
  const { value, seconds } = grants.giveClientToken(client, wholeSeconds(body.lifetime))
  return json(200, { access_token: value, token_type: 'Bearer', expires_in: seconds })
}

/** POST oauth/revoke: only the client's own token, without revealing whether there was one (RFC 7009). */
export function revokeToken(_ground: Context, grants: Grants, { body }: Question): Answer {
  grants.revoke(textOf(body, 'token'))
  return json(200, {})
}
