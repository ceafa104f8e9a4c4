import { readUrl } from '@chancela/service-kernel/addresses'
import type { Client } from '../clients.ts'
import { type Answer, type Question, redirect, textOf, withQuery } from '../http.ts'
import type { Consent } from '../pages/interactions.ts'
import { askHolder, refusalPage } from '../pages/page-routes.ts'
import type { Context } from '../provider-context.ts'
import { type Grants, isScope, type Scope } from './grants.ts'
import { askPhone, PUSH_URI } from './push.ts'
import { type RefusalCode, refuse } from './refusals.ts'
import { wholeSeconds } from './whole-seconds.ts'

/** The consent page's name of each scope. */
const permits: Readonly<Record<Scope, Consent['permits']>> = {
  single_signature: 'one-signature',
  multi_signature: 'several-signatures',
  signature_session: 'signing-session',
  authentication_session: 'identity',
}

/** GET oauth/authorize: the holder is asked, and is redirected to the client with a code or an error. */
export function authorize(context: Context, grants: Grants, question: Question): Answer {
  const { body } = question
  const client = context.clients.get(textOf(body, 'client_id'))
  if (!client) return refusalPage(context, question, 'client_id')
  const redirectUri = allowedRedirect(context, client, body)
  // Never redirect to an unregistered address.
  if (redirectUri === undefined) return refusalPage(context, question, 'redirect_uri')
  const back = (more: Readonly<Record<string, string>>): string =>
    withQuery(redirectUri, {
      ...more,
      state: textOf(body, 'state') ?? context.quirks.stateWhenAbsent,
      iss: context.quirks.issuer,
    })
  const isPush = redirectUri === PUSH_URI
  // There is no browser that could be redirected.
  const turnBack = (error: string): Answer =>
    isPush ? refuse(context, 'invalid_request', error) : redirect(back({ error }))
  const refused = refusalOf(body)
  if (refused) return turnBack(refused)

  const scope = textOf(body, 'scope') ?? 'single_signature'
  if (!isScope(scope)) return turnBack('invalid_scope')
  const requested = wholeSeconds(body.lifetime)
  const loginHint = textOf(body, 'login_hint')
  const hinted = loginHint === undefined ? undefined : context.accounts.find(loginHint)
  const consent: Consent = {
    client,
    ...(loginHint !== undefined && { loginHint }),
    permits: permits[scope],
    lifetimeSeconds: grants.lifetimeFor(hinted ?? { type: 'CPF' }, scope, requested),
    withCertificate: true,
    finish: (outcome) => {
      if (outcome.kind === 'denied') return back({ error: 'access_denied' })
      const { account, credential } = outcome
      const lifetimeSeconds = grants.lifetimeFor(account, scope, requested)
      const challenge = textOf(body, 'code_challenge')!
      const sent = textOf(body, 'redirect_uri')
      const code = grants.giveCode({
        client,
        account,
        credential,
        scope,
        lifetimeSeconds,
        challenge,
        redirectUri: sent,
      })
      return back({ code })
    },
  }
  return isPush ? askPhone(context, consent) : askHolder(context, consent, question)
}

/** The requested address, if it is registered; the first registered one where none is requested. */
function allowedRedirect({ quirks }: Context, { redirectUris }: Client, body: Question['body']): string | undefined {
  const asked = textOf(body, 'redirect_uri')
  if (asked === undefined) return redirectUris[0]
  if (asked === PUSH_URI) return quirks.push ? asked : undefined
  return redirectUris.includes(asked) || (!quirks.checkRedirectUris && readUrl(asked) !== undefined) ? asked : undefined
}

/** Only S256: the plain method protects nothing. */
function refusalOf(body: Question['body']): RefusalCode | 'unsupported_response_type' | undefined {
  if (body.response_type !== 'code') return 'unsupported_response_type'
  const isChallenge = /^[\w-]{43}$/.test(textOf(body, 'code_challenge') ?? '')
  return isChallenge && body.code_challenge_method === 'S256' ? undefined : 'invalid_request'
}
