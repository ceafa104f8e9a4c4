// The keys of institutions: whether each signs, a few at a time, and when the first of their certificates ends.
import { type Check, type CheckResult, lasting } from '@chancela/service-kernel/health'
import { notRevoked, triedKey } from '@chancela/service-kernel/trust'
import type { Context } from '../../context.ts'
import { certificatesAfter, firstToEnd } from '../../store/institute-certificates.ts'
import { walletKeysAfter } from '../../store/wallet-keys.ts'
import type { WalletKeyRow } from '../../store/wallet-tables.ts'
import type { IssuerKeys } from '../wallet/issuer-keys.ts'
import type { Signing } from './open-signing.ts'
import type { StoredKeys } from './stored-keys.ts'

/** Keys looked at once a minute, besides those that failed: each takes the time to derive a key from a password. */
const AT_ONCE = 5
/** Failures that are remembered and told; each is tried again with every look. */
const MOST_FAILURES = 20

interface Round<Row extends { readonly institute_id: string }> {
  next(range: { readonly after: string; readonly most: number }): Promise<readonly Row[]>
  tried(row: Row): Promise<CheckResult>
}

/** Looks at all rows, a few with each look, and begins anew after the last one. */
function inTurns<Row extends { readonly institute_id: string }>({ next, tried }: Round<Row>): Check {
  let after = ''
  const failures = new Map<string, { readonly row: Row; readonly detail: string }>()
  const look = async (row: Row): Promise<void> => {
    const { ok, detail = 'It does not sign.' } = await tried(row).catch(({ message }: Error) => ({
      ok: false,
      detail: message,
    }))
    if (ok) failures.delete(row.institute_id)
    else if (failures.has(row.institute_id) || failures.size < MOST_FAILURES)
      failures.set(row.institute_id, { row, detail })
  }
  return async () => {
    const rows = await next({ after, most: AT_ONCE })
    after = rows.length < AT_ONCE ? '' : rows.at(-1)!.institute_id
    for (const { row } of [...failures.values()]) await look(row)
    for (const row of rows) if (!failures.has(row.institute_id)) await look(row)
    const told = [...failures].map(([id, { detail }]) => `institution ${id}: ${detail}`)
    return told.length > 0 ? { ok: false, detail: told.join(' ') } : { ok: true, detail: 'Those that were tried sign.' }
  }
}

export interface WatchedKeys {
  readonly signing: Pick<Signing, 'gate'>
  readonly keys: StoredKeys
  readonly issuerKeys: IssuerKeys
}

/** Adds the checks of the keys that sign for institutions without a person. */
export function watchKeys(context: Context, { signing: { gate }, keys, issuerKeys }: WatchedKeys): void {
  const { store, clock, readiness, certificates } = context
  const stored = inTurns({
    next: (range) => certificatesAfter(store.db, range),
    tried: async ({ institute_id }) => {
      const signer = await keys.lookAt(institute_id)
      if (!signer) return { ok: true }
      const signs = await triedKey(signer, clock())
      return signs.ok ? notRevoked(gate, signer, clock()) : signs
    },
  })
  const wallet = inTurns<WalletKeyRow>({
    next: (range) => walletKeysAfter(store.db, range),
    tried: async (row) => issuerKeys.tried(row),
  })
  readiness.add('signing-key:institutions', lasting(stored, { clock }), { gates: false })
  readiness.add('signing-key:wallet', lasting(wallet, { clock }), { gates: false })
  certificates.watch('institutions', async () => {
    const row = await firstToEnd(store.db)
    return row && { notBefore: new Date(row.created_at), notAfter: new Date(row.not_after) }
  })
}
