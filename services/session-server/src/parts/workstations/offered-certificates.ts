// The certificates workstations offer, as rows: inserted when first offered, and restored when offered again.
import { type Db, newRowId } from '@chancela/service-kernel/store'
import { EngineError } from '@chancela/signature-engine'
import { Certificate } from '@chancela/signature-engine/x509'
import type { AgentMessage } from '../../channel/index.ts'
import { certificateRecord } from '../../rules/certificate-record.ts'
import type { CertificateRow, Tables } from '../../store/tables.ts'

type CertificateRecord = ReturnType<typeof certificateRecord>

export type Offered = Extract<AgentMessage, { type: 'certificates' }>['certificates'][number]

/** Offered certificates, split by whether the workstation may offer them. */
interface Belief {
  readonly believed: readonly CertificateRecord[]
  /** Fingerprints of certificates of other holders, or without a CPF. */
  readonly ignored: readonly string[]
}

/**
 * Accepts only certificates of holders permitted for the workstation: certificates are public, and a workstation that
 * publishes those of others would be sent their PINs.
 */
export function believe(offered: readonly Offered[], permittedCpfs: readonly string[]): Belief {
  const records = offered.flatMap(recordOf)
  const isPermitted = ({ subject_cpf }: CertificateRecord) => permittedCpfs.includes(subject_cpf ?? '')
  return {
    believed: records.filter(isPermitted),
    ignored: records.filter((record) => !isPermitted(record)).map(({ fingerprint }) => fingerprint),
  }
}

/** Unreadable certificates are skipped. */
function recordOf({ der, chain }: Offered): CertificateRecord[] {
  try {
    return [certificateRecord(read(der), chain.map(read))]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

const read = (base64: string): Certificate => Certificate.read(Buffer.from(base64, 'base64'))

/** What a publication changed, by the ids of certificates. */
interface Rewritten {
  readonly toJudge: readonly string[]
  /** No longer offered. */
  readonly gone: readonly string[]
}

/** Writes the certificates a workstation offers now and removes the others. */
export async function writeOffered(
  db: Db<Tables>,
  workstationId: string,
  believed: readonly CertificateRecord[],
  now: Date,
): Promise<Rewritten> {
  const known = await rowsOf(db, workstationId)
  const isOffered = (row: KnownRow) => believed.some((record) => isSame(row, record))
  const back = known.filter((row) => row.removed_at !== null && isOffered(row)).map(idOf)
  const fresh = believed
    .filter((record) => !known.some((row) => isSame(row, record)))
    .map((record) => newRow(workstationId, record, now))
  const gone = known.filter((row) => row.removed_at === null && !isOffered(row)).map(idOf)
  await setRemoved(db, gone, now)
  await setRemoved(db, back, null)
  for (const row of fresh) await db.insertInto('certificate').values(row).execute()
  return { toJudge: [...back, ...fresh.map(({ id }) => id)], gone }
}

/** Removes a workstation's certificates that match; returns their ids. */
export async function removeOffered(
  db: Db<Tables>,
  workstationId: string,
  isMeant: (row: Pick<CertificateRow, 'cpf'>) => boolean,
  now: Date,
): Promise<readonly string[]> {
  const known = await rowsOf(db, workstationId)
  const ids = known.filter((row) => row.removed_at === null && isMeant(row)).map(idOf)
  await setRemoved(db, ids, now)
  return ids
}

type KnownRow = Pick<CertificateRow, 'id' | 'cpf' | 'fingerprint' | 'removed_at'>

/** All certificates it ever offered: re-inserting a token must not add a new row every time. */
const rowsOf = (db: Db<Tables>, workstationId: string): Promise<KnownRow[]> =>
  db
    .selectFrom('certificate')
    .select(['id', 'cpf', 'fingerprint', 'removed_at'])
    .where('workstation_id', '=', workstationId)
    .execute()

const isSame = (row: KnownRow, { subject_cpf, fingerprint }: CertificateRecord): boolean =>
  row.cpf === subject_cpf && row.fingerprint === fingerprint

const idOf = ({ id }: KnownRow): string => id

async function setRemoved(db: Db<Tables>, ids: readonly string[], at: Date | null): Promise<void> {
  if (ids.length === 0) return
  const removed_at = at?.toISOString() ?? null
  await db
    .updateTable('certificate')
    .set({ removed_at })
    .where('id', 'in', [...ids])
    .execute()
}

/** Not validated yet: until then it cannot sign. */
const newRow = (workstation_id: string, record: CertificateRecord, now: Date): CertificateRow => ({
  id: newRowId(now),
  cpf: record.subject_cpf!,
  custody: 'workstation',
  workstation_id,
  token: null,
  ...record,
  status: 'STALE',
  status_reason: null,
  status_finding: null,
  checked_at: null,
  good_at: null,
  sealed_file: null,
  sealed_pin: null,
  created_at: now.toISOString(),
  removed_at: null,
})
