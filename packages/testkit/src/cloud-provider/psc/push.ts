// Confirmation on the holder's phone: outside the norm, as one provider does it.

import { type Answer, json, type Question, text, textOf } from '../http.ts'
import type { Consent } from '../pages/interactions.ts'
import type { Context } from '../provider-context.ts'
import { refuse } from './refusals.ts'

/** Every application has it in addition to its own redirect URIs. */
export const PUSH_URI = 'push://'

/** GET oauth/authorize with that redirect URI: the holder of the login hint is asked, the client answered at once. */
export function askPhone(context: Context, consent: Consent): Answer {
  const account = context.accounts.find(consent.loginHint ?? '')
  if (!account) return refuse(context, 'invalid_request', 'login_hint must say whose phone it is.')
  const code = context.pushes.ask(account, consent)
  return context.quirks.pushAnswer === 'json' ? json(200, { code }) : text(200, `code=${code}`)
}

/** GET valid/api/v1/trusted-services/authentications: whether the holder has decided. */
export function pollPush(context: Context, { body }: Question): Answer {
  const request = context.pushes.find(textOf(body, 'code') ?? '')
  if (!request) return refuse(context, 'invalid_grant', 'The code is not valid.')
  const { decided } = request
  if (!decided) return { status: context.quirks.pushPending, headers: {}, body: '' }
  if (decided.kind === 'denied') return json(403, { error: 'access_denied' })
  const authorizationToken = new URL(decided.result).searchParams.get('code')
  return json(200, { authorizationToken, redirectUrl: decided.result })
}
