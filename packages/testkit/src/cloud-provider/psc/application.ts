import { randomUUID } from 'node:crypto'
import type { Ground } from '../ground.ts'
import { type Answer, bearerOf, json, type Question, textOf } from '../http.ts'
import type { Grants } from './grants.ts'
import { refuse } from './refusals.ts'

/** POST oauth/application: an application registers itself; id and secret of its own choice are taken. */
export function registerApplication(ground: Ground, _grants: Grants, { body }: Question): Answer {
  const redirectUris = addressesIn(body.redirect_uris)
  const name = textOf(body, 'name')
  if (!redirectUris?.length || name === undefined) {
    return refuse(ground, 'invalid_request', 'Send name and redirect_uris.')
  }
  const chosenId = textOf(body, 'client_id')
  if (ground.clients.get(chosenId)) return refuse(ground, 'invalid_request', 'This client_id is taken.')
  const client = ground.clients.register({
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

/** PUT oauth/client_maintenance: an application changes what is known of itself. */
export function maintainApplication(ground: Ground, grants: Grants, question: Question): Answer {
  const { body } = question
  const client = grants.findClientToken(bearerOf(question))
  if (!client) return refuse(ground, 'invalid_token', 'The token is not valid.')
  if (textOf(body, 'client_id') !== client.clientId)
    return refuse(ground, 'invalid_request', 'Send your own client_id.')
  const redirectUris = addressesIn(body.redirect_uris)
  if (body.redirect_uris !== undefined && !redirectUris?.length) {
    return refuse(ground, 'invalid_request', 'redirect_uris is a list of addresses.')
  }
  ground.clients.register({
    ...client,
    clientSecret: textOf(body, 'client_secret') ?? client.clientSecret,
    redirectUris: redirectUris ?? client.redirectUris,
    name: textOf(body, 'name') ?? client.name ?? client.clientId,
  })
  return json(200, { status: 'success', message: 'The application is changed.' })
}

const addressesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && URL.canParse(one)) ? value : undefined
