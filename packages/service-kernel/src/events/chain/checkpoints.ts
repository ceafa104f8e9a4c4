import type { Db, Store } from '../../store/index.ts'
import { headOf, lockChain } from './audit-chain.ts'
import type { AuditKey } from './audit-key.ts'
import { type CheckpointRow, chainTables } from './chain-tables.ts'
import { type Checkpoint, type CheckpointKey, signedCheckpoint } from './checkpoint.ts'

/** Signs the head and keeps that; undefined where nothing was added since the last time. */
export const makeCheckpoint = <Tables>(
  store: Store<Tables>,
  key: AuditKey,
  now: Date,
): Promise<Checkpoint | undefined> =>
  store.transaction(async (given) => {
    const tx = chainTables(given)
    await lockChain(tx)
    const head = await headOf(tx)
    const last = await lastCheckpoint(tx)
    // A chain that is shorter than what was signed is an older one: it is told by whoever verifies, not signed over.
    if (head.sequence <= (last?.sequence ?? 0)) return undefined
    const content = { number: (last?.number ?? 0) + 1, ...head, at: now.toISOString(), keyId: key.id }
    const checkpoint = signedCheckpoint(content, key.privateKey)
    const { keyId: key_id, ...row } = checkpoint
    await tx
      .insertInto('audit_checkpoint')
      .values({ ...row, key_id })
      .execute()
    return checkpoint
  })

const lastCheckpoint = (db: ReturnType<typeof chainTables>): Promise<CheckpointRow | undefined> =>
  db.selectFrom('audit_checkpoint').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()

export const readCheckpoints = async <Tables>(db: Db<Tables>): Promise<readonly Checkpoint[]> => {
  const rows = await chainTables(db).selectFrom('audit_checkpoint').selectAll().orderBy('number').execute()
  return rows.map(({ key_id: keyId, ...row }) => ({ ...row, keyId }))
}

export const readCheckpointKeys = async <Tables>(db: Db<Tables>): Promise<readonly CheckpointKey[]> => {
  const rows = await chainTables(db).selectFrom('audit_key').select(['id', 'public_key']).orderBy('made_at').execute()
  return rows.map(({ id, public_key: publicKey }) => ({ id, publicKey }))
}
