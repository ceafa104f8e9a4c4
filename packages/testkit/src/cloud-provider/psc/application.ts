import { randomUUID } from 'node:crypto'
import { readUrl } from '@chancela/service-kernel/addresses'
import { type Answer, bearerOf, json, type Question, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import type { Grants } from './grants.ts'
import { refuse } from './refusals.ts'

/** POST oauth/application: an application registers itself; its own id and secret are accepted. */
export function registerApplication(context: Context, _grants: Grants, { body }: Question): Answer {
  const redirectUris = addressesIn(body.redirect_uris)
  const name = textOf(body, 'name')
  if (!redirectUris?.length || name === undefined) {
    return refuse(context, 'invalid_request', 'Send name and redirect_uris.')
  }
  const chosenId = textOf(body, 'client_id')
  if (context.clients.get(chosenId)) return refuse(context, 'invalid_request', 'This client_id is taken.')
  const client = context.clients.register({
    clientId: chosenId ?? randomUUID(),
    clientSecret: textOf(body, 'client_secret') ?? randomUUID(),
    redirectUris,
    name,
  })
  return json(200, {
    status: 'success',
    message: 'The application is registered.',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  })
}

/** PUT oauth/client_maintenance: an application changes its registration. */
export function maintainApplication(context: Context, grants: Grants, question: Question): Answer {
  const { body } = question
  const client = grants.findClientToken(bearerOf(question))
  if (!client) return refuse(context, 'invalid_token', 'The token is not valid.')
  if (textOf(body, 'client_id') !== client.clientId)
    return refuse(context, 'invalid_request', 'Send your own client_id.')
  const redirectUris = addressesIn(body.redirect_uris)
  if (body.redirect_uris !== undefined && !redirectUris?.length) {
    return refuse(context, 'invalid_request', 'redirect_uris is a list of addresses.')
  }
  context.clients.register({
    ...client,
    clientSecret: textOf(body, 'client_secret') ?? client.clientSecret,
    redirectUris: redirectUris ?? client.redirectUris,
    name: textOf(body, 'name') ?? client.name ?? client.clientId,
  })
  return json(200, { status: 'success', message: 'The application is changed.' })
}

const addressesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && readUrl(one) !== undefined)
    ? value
    : undefined
