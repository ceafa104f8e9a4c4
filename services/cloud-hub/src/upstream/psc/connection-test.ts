import { nobody } from '../../rules/requested-identifier.ts'
import { recordOf, textOf } from '../json-values.ts'
import type { ConnectionCheck } from '../provider.ts'
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

async function check(name: string, attempt: () => Promise<string>): Promise<ConnectionCheck> {
  try {
    return { name, ok: true, text: await attempt() }
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    return { name, ok: false, text: sentenceOf(error) }
  }
}

function sentenceOf({ message, status, code, diagnosis }: ProviderProblem): string {
  const answered = status === undefined ? '' : ` It answered ${status}${code === undefined ? '' : ` (${code})`}.`
  return `${message}${answered}${diagnosis === undefined ? '' : ` ${diagnosis}`}`
}

/** Any answer will do: it shows that DNS, network and TLS work. */
async function reach({ urlOf, exchange, deadlines }: PscContext, signal: AbortSignal | undefined): Promise<string> {
  const url = urlOf('authorize')
  const begun = performance.now()
  await exchange
    .send({ method: 'GET', url, shown: 'nothing', deadline: deadlines.call, signal, safe: true, reads: 'anything' })
    .catch((error: unknown) => {
      if (!(error instanceof ProviderProblem) || error.status === undefined) throw error
    })
  const how = url.startsWith('https:') ? 'TLS is well' : 'without TLS'
  return `The provider answers in ${Math.round(performance.now() - begun)} ms; ${how}.`
}

async function clientToken(
  { urlOf, knobs, clientId, clientSecret, exchange, deadlines }: PscContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const { body } = await exchange.send({
    method: 'POST',
    url: urlOf('client_token'),
    ...(knobs.clientTokenBody === 'json' ? { json: fields } : { form: fields }),
    shown: 'client',
    deadline: deadlines.call,
    signal,
  })
  if (textOf(recordOf(body).access_token) === undefined)
    throw new ProviderProblem('garbage', { diagnosis: 'The answer holds no token.' })
  return 'The provider accepts the credentials of this hub.'
}

async function discovery(context: PscContext, signal: AbortSignal | undefined): Promise<string> {
  const found = await discoverHolder(context, nobody, signal)
  if (found) throw new ProviderProblem('garbage', { diagnosis: 'It says that it holds a certificate of nobody.' })
  return 'The provider answers to discovery.'
}
