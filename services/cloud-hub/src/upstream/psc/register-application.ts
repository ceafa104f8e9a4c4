import type { PscKnobs } from '../../contract/provider-knobs.ts'
import type { Exchange } from '../exchange.ts'
import { recordOf, textOf } from '../json-values.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { pscUrls } from './psc-context.ts'

/** The hub's data for the registration at a provider. */
export interface ApplicationForm {
  /** Name shown to holders on the provider's pages. */
  readonly name: string
  /** Contact address for the provider. */
  readonly email: string
  readonly comments?: string
}

interface RegistrationContext {
  readonly exchange: Exchange
  readonly endpoint: string
  readonly knobs: PscKnobs
  /** Milliseconds for an answer. */
  readonly deadline: number
}

/** Registers the hub (row 1); the provider returns its credentials. */
export async function registerApplication(
  { exchange, endpoint, knobs, deadline }: RegistrationContext,
  { name, email, comments = '' }: ApplicationForm,
  redirectUris: readonly string[],
): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
  const { body } = await exchange.send({
    method: 'POST',
    url: pscUrls(endpoint, knobs)('application'),
    json: { name, comments, redirect_uris: redirectUris, email },
    shown: 'nothing',
    deadline,
  })
  const { client_id, client_secret } = recordOf(body)
  const [clientId, clientSecret] = [textOf(client_id), textOf(client_secret)]
  if (clientId === undefined || clientSecret === undefined)
    throw new ProviderProblem('garbage', { found: 'no-credentials' })
  return { clientId, clientSecret }
}
