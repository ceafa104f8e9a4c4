import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { Clock } from '../../clock/index.ts'
import type { CheckResult } from '../../health/index.ts'
import { SecretProblem, type Secrets, sealedTable } from '../../secrets/index.ts'
import type { Db } from '../../store/index.ts'
import { type AuditKeyRow, chainTables } from './chain-tables.ts'
import { type CheckpointKey, checkpointKeyOf } from './checkpoint.ts'

const sealContext = (id: string): string => `audit_key/${id}`

/** The sealed keys that sign checkpoints, so that a rotation of the master key includes them. */
export const sealedAuditKeys = sealedTable<AuditKeyRow>({
  table: 'audit_key',
  idColumn: 'id',
  columns: ['sealed'],
  context: ({ id }) => sealContext(id),
})

/** A key that signs checkpoints. */
export interface AuditKey extends CheckpointKey {
  readonly privateKey: KeyObject
}

interface KeyContext<Tables> {
  readonly db: Db<Tables>
  readonly secrets: Secrets
  readonly clock: Clock
}

/**
 * The key of an installation, made when there is none that this master key opens: a key that somebody put into the
 * database signs nothing. Several are no harm, as when two instances start first at the same moment.
 */
export async function openAuditKey<Tables>({ db: given, secrets, clock }: KeyContext<Tables>): Promise<AuditKey> {
  const db = chainTables(given)
  const rows = await db.selectFrom('audit_key').selectAll().orderBy('made_at').orderBy('id').execute()
  for (const row of rows) {
    const key = opened(row, secrets)
    if (key) return key
  }
  const { privateKey } = generateKeyPairSync('ed25519')
  const { id, publicKey } = checkpointKeyOf(privateKey)
  const sealed = secrets.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), sealContext(id))
  await db
    .insertInto('audit_key')
    .values({ id, public_key: publicKey, sealed, made_at: clock().toISOString() })
    .execute()
  return { id, publicKey, privateKey }
}

/** Whether the key that signs checkpoints does; one that does not open is replaced by the next checkpoint. */
export async function triedAuditKey<Tables>({ db, secrets }: Omit<KeyContext<Tables>, 'clock'>): Promise<CheckResult> {
  const rows = await chainTables(db).selectFrom('audit_key').selectAll().orderBy('made_at').orderBy('id').execute()
  if (rows.length === 0) return { ok: true, detail: 'It is made with the first checkpoint.' }
  const key = rows.map((row) => opened(row, secrets)).find((one) => one !== undefined)
  if (!key) return { ok: false, detail: 'No key of the audit chain opens with the master key.' }
  const probe = randomBytes(32)
  const isGood = verify(null, probe, createPublicKey(key.privateKey), sign(null, probe, key.privateKey))
  return { ok: isGood, detail: isGood ? 'It signs.' : 'What it signs does not verify.' }
}

/** The ids of the keys that this master key opens: the others are not the installation's own. */
export async function ownAuditKeys<Tables>(db: Db<Tables>, secrets: Secrets): Promise<ReadonlySet<string>> {
  const rows = await chainTables(db).selectFrom('audit_key').selectAll().execute()
  return new Set(rows.flatMap((row) => opened(row, secrets)?.id ?? []))
}

/** None where it does not open, or where the public half is that of another. */
function opened(row: AuditKeyRow, secrets: Secrets): AuditKey | undefined {
  try {
    const der = secrets.open(row.sealed, sealContext(row.id))
    const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
    const key = checkpointKeyOf(privateKey)
    return key.id === row.id && key.publicKey === row.public_key ? { ...key, privateKey } : undefined
  } catch (error) {
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}
