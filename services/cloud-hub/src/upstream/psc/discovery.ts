import type { PscKnobs } from '../../contract/provider-knobs.ts'
import type { Identifier } from '../../rules/requested-identifier.ts'
import { recordOf } from '../json-values.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { PscContext } from './psc-context.ts'

/** Asks whether somebody holds a certificate (row 4). */
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
    // Some say so by a refusal.
    if (error instanceof ProviderProblem && error.kind === 'alias-unknown') return false
    throw error
  }
}

/** `S` or, at some, `Y`; whatever else is said in an answer is a no. */
function isFound(status: unknown, { foundStatuses }: PscKnobs): boolean {
  if (typeof status !== 'string')
    throw new ProviderProblem('garbage', { diagnosis: 'The answer to discovery has no status.' })
  return foundStatuses.includes(status)
}
