import { randomBytes, randomUUID } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type CloudTie, nonceHashOf, tieBrowser } from '@chancela/service-links'
import { orUnavailable } from '../../parts/signing/signing-links.ts'
import type { Caller } from '../../rules/rights.ts'
import type { RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { insertSigning } from '../../store/remote-signings.ts'
import type { SigningPerson } from '../../store/signers.ts'
import { type Chosen, fresh, prepared, type RemoteDependencies, rowsOf } from './begin-signing.ts'

/** Time to choose a provider, to sign in there and to come back. */
const LIFE = 15 * MINUTE

/** Sends the person to the hub: one authorization, one call of the provider, whatever it has to sign. */
export async function beginCloud(given: RemoteDependencies, caller: Caller, ids: readonly string[], now: Date) {
  const { context } = given
  const { person, chosen, signable, owner } = await prepared(given, caller, ids)
  const id = randomUUID()
  const nonce = randomBytes(32).toString('base64url')
  const url = await orUnavailable(given, 'hub', (hub) =>
    hub.createChooser({
      redirectUri: `${context.publicUrl}/cloud-return?signing=${id}`,
      ...askedHolder(person, signable),
      type: signable.length === 1 ? 'SingleSignature' : 'MultiSignature',
      customState: nonce,
      lifetimeInSeconds: LIFE / SECOND,
    }),
  )
  const row: RemoteSigningRow = {
    ...fresh(now),
    ...owner,
    id,
    way: 'cloud',
    reference: nonceHashOf(nonce),
    expires_at: plus(now, LIFE).toISOString(),
  }
  await context.store.transaction((tx) => insertSigning(tx, row, rowsOf(id, chosen)))
  const tie: CloudTie = { nonce }
  return { id, url, cookie: tieBrowser(context, id, tie, LIFE) }
}

/** Whose certificates the providers search for; anybody's where the institution signs. */
const askedHolder = ({ cpf }: SigningPerson, signable: readonly Chosen[]) =>
  signable.some(({ wantsCompany }) => wantsCompany) ? {} : { identifier: cpf!, identifierType: 'CPF' as const }
