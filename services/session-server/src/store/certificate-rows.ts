import { type Db, portableStatement } from '@chancela/service-kernel/store'
import type { CertificateRow, Tables } from './tables.ts'

/** The columns signing needs, without what is sealed. */
export type HeldRow = Omit<CertificateRow, 'sealed_file' | 'sealed_pin'>

const heldColumns = [
  'id',
  'cpf',
  'custody',
  'workstation_id',
  'token',
  'fingerprint',
  'der',
  'chain',
  'subject_name',
  'subject_key',
  'subject_cpf',
  'email',
  'issuer',
  'serial_number',
  'not_before',
  'not_after',
  'status',
  'status_reason',
  'status_finding',
  'checked_at',
  'good_at',
  'created_at',
  'removed_at',
] as const satisfies readonly (keyof HeldRow)[]

const held = portableStatement<string, HeldRow>(
  'certificate_held',
  ({ place }) => `select ${heldColumns.join(', ')} from certificate where id = ${place(1)} and removed_at is null`,
  (id) => [id],
)

/** The held certificate with this id; read by every signing call. */
export const heldCertificate = async (db: Db<Tables>, id: string): Promise<HeldRow | undefined> =>
  (await held(db, id))[0]

/** Certificates held for a CPF, latest expiry first: a renewed one is tried before its predecessor. */
export const certificatesOfCpf = (db: Db<Tables>, cpf: string): Promise<CertificateRow[]> =>
  db
    .selectFrom('certificate')
    .selectAll()
    .where('cpf', '=', cpf)
    .where('removed_at', 'is', null)
    .orderBy('not_after', 'desc')
    .orderBy('id')
    .execute()

/** Certificates to validate: new ones first, then those not validated since that time. Expired ones stay so. */
export async function certificatesToJudge(db: Db<Tables>, since: Date, limit: number): Promise<HeldRow[]> {
  const held = db.selectFrom('certificate').select(heldColumns).where('removed_at', 'is', null)
  const fresh = await held.where('checked_at', 'is', null).limit(limit).execute()
  if (fresh.length > 0) return fresh
  return held
    .where('checked_at', '<=', since.toISOString())
    .where('status', '<>', 'EXPIRED')
    .orderBy('checked_at')
    .limit(limit)
    .execute()
}

export type Verdict = Pick<
  CertificateRow,
  'status' | 'status_reason' | 'status_finding' | 'checked_at' | 'good_at' | 'chain'
>

/** Writes a verdict if the row is unchanged; false when another verdict was written since, or the row is gone. */
export const writeVerdict = async (
  db: Db<Tables>,
  { id, checked_at: seen }: Pick<CertificateRow, 'id' | 'checked_at'>,
  verdict: Verdict,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('certificate')
    .set(verdict)
    .where('id', '=', id)
    .where('checked_at', 'is not distinct from', seen)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
