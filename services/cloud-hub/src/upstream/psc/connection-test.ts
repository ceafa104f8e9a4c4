import { type CheckName, type Finding, finding } from '../../contract/provider-findings.ts'
import { nobody } from '../../rules/requested-identifier.ts'
import { type ConnectionCheck, checked, failed } from '../connection-check.ts'
import { recordOf, textOf } from '../json-values.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { discoverHolder } from './discovery.ts'
import type { PscContext } from './psc-context.ts'

/** The checks possible without a holder, one line each. */
export async function testConnection(
  context: PscContext,
  signal: AbortSignal | undefined,
): Promise<readonly ConnectionCheck[]> {
  const reached = await check('connection', () => reach(context, signal))
  if (!reached.ok) return [reached]
  return [
    reached,
    await check('client_token', () => clientToken(context, signal)),
    ...(context.knobs.discovery ? [await check('user-discovery', () => discovery(context, signal))] : []),
  ]
}

async function check(name: CheckName, attempt: () => Promise<readonly Finding[]>): Promise<ConnectionCheck> {
  try {
    return checked(name, true, await attempt())
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    return failed(name, error)
  }
}

/** Any answer will do: it shows that DNS, network and TLS work. */
async function reach(
  { urlOf, exchange, deadlines }: PscContext,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const url = urlOf('authorize')
  const begun = performance.now()
  await exchange
    .send({ method: 'GET', url, shown: 'nothing', deadline: deadlines.call, signal, safe: true, reads: 'anything' })
    .catch((error: unknown) => {
      if (!(error instanceof ProviderProblem) || error.status === undefined) throw error
    })
  const milliseconds = Math.round(performance.now() - begun)
  return [finding('answers-in', { milliseconds }), finding(url.startsWith('https:') ? 'tls-well' : 'without-tls')]
}

async function clientToken(
  { urlOf, knobs, clientId, clientSecret, exchange, deadlines }: PscContext,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const { body } = await exchange.send({
    method: 'POST',
    url: urlOf('client_token'),
    ...(knobs.clientTokenBody === 'json' ? { json: fields } : { form: fields }),
    shown: 'client',
    deadline: deadlines.call,
    signal,
  })
  if (textOf(recordOf(body).access_token) === undefined) throw new ProviderProblem('garbage', { found: 'no-token' })
  return [finding('credentials-accepted')]
}

async function discovery(context: PscContext, signal: AbortSignal | undefined): Promise<readonly Finding[]> {
  const found = await discoverHolder(context, nobody, signal)
  if (found) throw new ProviderProblem('garbage', { found: 'holds-nobody' })
  return [finding('discovery-answers')]
}
