import type { Grant } from '../provider.ts'
import type { PscGrantData } from './authorization.ts'
import type { PscContext } from './psc-context.ts'

/** Notifies the provider that a token is no longer needed (row 10); no vendor documents the answer: it is ignored. */
export async function revokeToken({ urlOf, exchange, deadlines }: PscContext, grant: Grant): Promise<void> {
  const { token } = grant.data as PscGrantData
  await exchange.send({
    method: 'POST',
    url: urlOf('revoke'),
    bearer: token,
    json: { token },
    shown: 'token',
    deadline: deadlines.call,
    reads: 'anything',
  })
}
