import type { PscKnobs } from '../../contract/provider-knobs.ts'
import type { Identifier } from '../../rules/requested-identifier.ts'
import { recordOf } from '../json-values.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { PscContext } from './psc-context.ts'

/** Asks whether a person or company has a certificate (row 4). */
export async function discoverHolder(
  { urlOf, knobs, clientId, clientSecret, exchange, deadlines }: PscContext,
  { type, value }: Identifier,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { body } = await exchange.send({
      method: 'POST',
      url: urlOf('user-discovery'),
      json: { client_id: clientId, client_secret: clientSecret, user_cpf_cnpj: type, val_cpf_cnpj: value },
      shown: 'client',
      deadline: deadlines.discovery,
      signal,
      safe: true,
    })
    return isFound(recordOf(body).status, knobs)
  } catch (error) {
    // Some providers answer no with a refusal.
    if (error instanceof ProviderProblem && error.kind === 'alias-unknown') return false
    throw error
  }
}

/** `S` or, at some providers, `Y`; any other status means no. */
function isFound(status: unknown, { foundStatuses }: PscKnobs): boolean {
  if (typeof status !== 'string') throw new ProviderProblem('garbage', { found: 'no-discovery-status' })
  return foundStatuses.includes(status)
}
