import { type Answer, json, type Question, textOf, withQuery } from '../http.ts'
import type { Consent } from '../pages/interactions.ts'
import { askHolder, refusalPage } from '../pages/page-routes.ts'
import { type AuthorizationRequest, readAuthorization } from './authorization-request.ts'
import { type CscContext, type CscOperation, credentialOf, lifetimeOf } from './csc-context.ts'
import { parameterIn } from './fields.ts'
import { CscRefusal } from './refusals.ts'

/** Redirects the holder to the pages. Errors are redirected to the client, unless the redirect URI itself is wrong. */
export function authorize(context: CscContext, question: Question): Answer {
  const { body } = question
  const client = context.provider.clients.get(textOf(body, 'client_id'))
  if (!client) return refusalPage(context.provider, question, 'Invalid parameter client_id')
  const sent = textOf(body, 'redirect_uri')
  const value = sent ?? client.redirectUris[0]
  if (value === undefined || !client.redirectUris.includes(value)) {
    return refusalPage(context.provider, question, 'Invalid parameter redirect_uri')
  }
  const state = textOf(body, 'state')
  const redirectUri = { value, sent: sent !== undefined }
  try {
    const request = { client, redirectUri, state, ...readAuthorization(context, question) }
    return askHolder(context.provider, consentTo(context, request), question)
  } catch (error) {
    if (!(error instanceof CscRefusal)) throw error
    const { error: code, message } = error
    return {
      status: 302,
      headers: { location: withQuery(value, { error: code, error_description: message, state }) },
      body: '',
    }
  }
}

function consentTo(context: CscContext, request: AuthorizationRequest): Consent {
  const { client, redirectUri, state, credential } = request
  const asked: Partial<Consent> = credential
    ? {
        permits: credential.numSignatures === 1 ? 'one-signature' : 'several-signatures',
        signatures: credential.numSignatures,
        ...(credential.hashes && { hashes: credential.hashes }),
        alias: credential.credentialID,
        withCertificate: true,
      }
    : {}
  return {
    client,
    permits: 'identity',
    withCertificate: false,
    reuseLogin: true,
    ...asked,
    finish: (outcome) =>
      withQuery(
        redirectUri.value,
        outcome.kind === 'approved'
          ? { code: context.codes.issue({ request, account: outcome.account }), state }
          : { error: 'access_denied', error_description: 'The user denied the request.', state },
      ),
  }
}

/** Exchanges a code; the client authenticates in the body, or by HTTP Basic. */
export const token: CscOperation = (context, question) => {
  const { body } = question
  const clientId = authenticatedClient(context, question)
  if (parameterIn(body, 'grant_type') !== 'authorization_code') throw new CscRefusal('Invalid parameter grant_type')
  const { request, account } = context.codes.take(parameterIn(body, 'code'), {
    clientId,
    redirectUri: textOf(body, 'redirect_uri'),
    verifier: textOf(body, 'code_verifier'),
  })
  const { seconds, told } = lifetimeOf(context, 'expires_in')
  const common = { version: context.versionName, clientId, account }
  const asked = request.credential
  if (!asked) {
    return {
      access_token: context.tokens.issue({ ...common, scope: 'service' }, seconds),
      token_type: 'Bearer',
      ...told,
    }
  }
  const authorized = {
    credential: credentialOf(account, asked.credentialID),
    left: asked.numSignatures,
    hashes: asked.hashes && [...asked.hashes],
  }
  const isSad = !context.version.credentialBearer
  return {
    access_token: context.tokens.issue({ ...common, scope: 'credential', authorized }, seconds),
    token_type: isSad ? context.quirks.credentialTokenType : 'Bearer',
    ...told,
    ...(!isSad && { credentialID: asked.credentialID }),
    ...(asked.details && { authorization_details: asked.details }),
  }
}

/** RFC 7009. */
export function revoke(context: CscContext, question: Question): Answer {
  const clientId = authenticatedClient(context, question)
  context.tokens.revoke(parameterIn(question.body, 'token'), clientId)
  return { ...json(204, ''), body: '' }
}

function authenticatedClient({ provider: { clients } }: CscContext, { headers, body }: Question): string {
  const basic = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent)
    : [parameterIn(body, 'client_id'), textOf(body, 'client_secret')]
  if (!clients.get(id)) throw new CscRefusal('Invalid parameter client_id')
  if (secret === undefined) throw new CscRefusal('Client authorization required')
  const client = clients.authenticate(id, secret)
  if (!client) throw new CscRefusal('Invalid parameter client_secret')
  return client.clientId
}
