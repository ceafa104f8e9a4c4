// The certificates workstations offer, as rows: made when they are first offered, and there again when they are back.
import { type Db, newRowId } from '@chancela/service-kernel/store'
import { EngineError } from '@chancela/signature-engine'
import { Certificate } from '@chancela/signature-engine/x509'
import type { AgentMessage } from '../../channel/index.ts'
import { certificateRecord } from '../../rules/certificate-record.ts'
import type { CertificateRow, Tables } from '../../store/tables.ts'

type CertificateRecord = ReturnType<typeof certificateRecord>

export type Offered = Extract<AgentMessage, { type: 'certificates' }>['certificates'][number]

/** What an agent offers, judged by whom it may offer. */
interface Belief {
  readonly believed: readonly CertificateRecord[]
  /** Fingerprints of certificates that others hold, or that name no CPF. */
  readonly ignored: readonly string[]
}

/**
 * Believes what names a holder the workstation was permitted: certificates are public, and whoever publishes those of
 * others would be offered their PINs.
 */
export function believe(offered: readonly Offered[], permittedCpfs: readonly string[]): Belief {
  const records = offered.flatMap(recordOf)
  const isPermitted = ({ subject_cpf }: CertificateRecord) => permittedCpfs.includes(subject_cpf ?? '')
  return {
    believed: records.filter(isPermitted),
    ignored: records.filter((record) => !isPermitted(record)).map(({ fingerprint }) => fingerprint),
  }
}

/** What cannot be read is nobody's certificate. */
function recordOf({ der, chain }: Offered): CertificateRecord[] {
  try {
    return [certificateRecord(read(der), chain.map(read))]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

const read = (base64: string): Certificate => Certificate.read(Buffer.from(base64, 'base64'))

/** Writes what a workstation offers now; what it offers no more is removed. The ids of those to be judged. */
export async function writeOffered(
  db: Db<Tables>,
  workstationId: string,
  believed: readonly CertificateRecord[],
  now: Date,
): Promise<readonly string[]> {
  const known = await rowsOf(db, workstationId)
  const isOffered = (row: KnownRow) => believed.some((record) => isSame(row, record))
  const back = known.filter((row) => row.removed_at !== null && isOffered(row)).map(idOf)
  const fresh = believed
    .filter((record) => !known.some((row) => isSame(row, record)))
    .map((record) => newRow(workstationId, record, now))
  await setRemoved(db, known.filter((row) => row.removed_at === null && !isOffered(row)).map(idOf), now)
  await setRemoved(db, back, null)
  for (const row of fresh) await db.insertInto('certificate').values(row).execute()
  return [...back, ...fresh.map(({ id }) => id)]
}

/** Removes the certificates of a workstation that are meant; their ids. */
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

/** All that it ever offered: a token that is put back must not make another row every morning. */
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

/** Nobody has judged it yet: until then it cannot sign. */
const newRow = (workstation_id: string, record: CertificateRecord, now: Date): CertificateRow => ({
  id: newRowId(now),
  cpf: record.subject_cpf!,
  custody: 'workstation',
  workstation_id,
  ...record,
  status: 'STALE',
  status_reason: null,
  checked_at: null,
  good_at: null,
  sealed_file: null,
  created_at: now.toISOString(),
  removed_at: null,
})
