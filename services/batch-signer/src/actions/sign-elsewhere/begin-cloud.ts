import { randomBytes, randomUUID } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { nonceHashOf } from '@chancela/service-links'
import { finishCloudSigning } from '../../contract/portal-signing.ts'
import { orUnavailable } from '../../parts/approvals/signing-links.ts'
import { type Asking, beginSigning, type Elsewhere } from './begin-signing.ts'

/** Time to choose a provider, to sign in there and to come back (batch-signer facts 5.4). */
const LIFE = 15 * MINUTE

/** Sends the approver to the hub: one authorization, one call of the provider, whatever it has to sign. */
export async function beginCloud(
  given: Elsewhere,
  asking: Asking,
  asked: { readonly ids: readonly string[]; readonly reason?: string | null | undefined },
  now: Date,
): Promise<{ readonly id: string; readonly url: string }> {
  const begun = await beginSigning(given, asking, asked, now)
  const { PublicBaseUrl } = given.context.settings.CloudHub
  const state = randomBytes(32).toString('base64url')
  const base = PublicBaseUrl?.replace(/\/+$/, '')
  const url = await orUnavailable(given, 'hub', (hub) =>
    hub.createChooser({
      redirectUri: `${base}${finishCloudSigning.path}?state=${state}`,
      identifier: begun.cpf,
      identifierType: 'CPF',
      type: begun.fileNames.length === 1 ? 'SingleSignature' : 'MultiSignature',
      customState: nonceHashOf(state),
      lifetimeInSeconds: LIFE / SECOND,
    }),
  )
  const id = randomUUID()
  await begun.store({ id, way: 'cloud', reference: nonceHashOf(state), expires_at: plus(now, LIFE).toISOString() })
  return { id, url }
}
