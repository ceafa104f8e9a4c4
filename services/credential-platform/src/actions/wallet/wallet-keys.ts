// The keys of an institution, as its people see them and as verifiers do.
import { didDocument } from '@chancela/academic-documents/wallet'
import { changesOf } from '@chancela/service-kernel/events'
import type { WalletIssuerView } from '../../contract/wallet.ts'
import { type Issuer, publicKeyOf } from '../../parts/wallet/issuer-keys.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { revokeWalletKey, walletKeysOf } from '../../store/wallet-keys.ts'
import { made, record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import type { Wallets } from './wallet-credentials.ts'

const stateOf = ({ revoked_at, retired_at }: { revoked_at: string | null; retired_at: string | null }) =>
  revoked_at !== null ? 'Revoked' : retired_at !== null ? 'Retired' : 'Current'

async function view({ context }: Wallets, { did, instituteId }: Issuer): Promise<WalletIssuerView> {
  const rows = await walletKeysOf(context.store.db, instituteId)
  const keys = rows.map((row) => ({ id: row.id, state: stateOf(row), creationDate: row.created_at }) as const)
  return { did, keys }
}

/** An institution that never signed one has no identifier yet. */
export async function readIssuer(wallets: Wallets, caller: Caller, id: string): Promise<WalletIssuerView> {
  const institute = await requiredInstitute(wallets.context.store.db, caller, id)
  const issuer = await wallets.issuerKeys.known(institute.id)
  return issuer ? view(wallets, issuer) : { did: null, keys: [] }
}

/** Another key signs from now on. */
export async function rotateKey(wallets: Wallets, caller: Caller, id: string, now: Date): Promise<WalletIssuerView> {
  const { context, issuerKeys } = wallets
  const institute = await requiredInstitute(context.store.db, caller, id)
  const issuer = await issuerKeys.issuer(institute, now)
  const row = await issuerKeys.newKey(issuer, now)
  await context.store.transaction(async (tx) => {
    await issuerKeys.rotate(tx, row, now)
    const entity = { type: 'Institute', id: institute.id }
    await record(
      tx,
      caller,
      { type: 'WalletKeyCreated', entity, data: { key: row.id }, changes: made({ key: row.id }) },
      now,
    )
  })
  return view(wallets, issuer)
}

/** For a key that others may have: nothing that it signed is believed any more. */
export async function revokeKey(wallets: Wallets, caller: Caller, id: string, key: string, now: Date): Promise<void> {
  const { store } = wallets.context
  const institute = await requiredInstitute(store.db, caller, id)
  await store.transaction(async (tx) => {
    const former = (await walletKeysOf(tx, institute.id)).find(({ id }) => id === key)
    if (!former || !(await revokeWalletKey(tx, institute.id, key, now)))
      throw refuse('wallet-key-not-found', { id: key })
    const changes = changesOf({ state: stateOf(former) }, { state: 'Revoked' })
    const entity = { type: 'Institute', id: institute.id }
    await record(tx, caller, { type: 'WalletKeyRevoked', entity, data: { key }, changes }, now)
  })
}

/** The document that verifiers fetch: every key whose signatures count. */
export async function readDidDocument({ context, issuerKeys }: Wallets, id: string) {
  const issuer = await issuerKeys.known(idOf(id))
  if (!issuer) throw refuse('institute-not-found', { id })
  const rows = await walletKeysOf(context.store.db, issuer.instituteId)
  const counting = rows.filter(({ revoked_at }) => revoked_at === null)
  return didDocument(
    issuer.address,
    counting.map((row) => ({ publicKey: publicKeyOf(row) })),
  )
}
