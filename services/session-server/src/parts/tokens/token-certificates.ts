// The certificates on the server's own tokens, as rows: inserted when first seen, and restored when seen again.
import { newRowId, type Store } from '@chancela/service-kernel/store'
import { EngineError } from '@chancela/signature-engine'
import { Certificate, isCpf } from '@chancela/signature-engine/x509'
import { type CertificateRecord, certificateRecord, unjudged } from '../../rules/certificate-record.ts'
import type { CertificateRow, Tables } from '../../store/tables.ts'
import { CERTIFICATES_CHANNEL } from '../certificates/certificates.ts'
import type { ShownCertificate } from './token-messages.ts'

/** Certificates of a person, and how many others the token shows: those that name no CPF, or cannot be read. */
interface Readable {
  readonly records: readonly CertificateRecord[]
  readonly others: number
}

export function readShown(shown: readonly ShownCertificate[]): Readable {
  const records = shown.flatMap(recordOf)
  return { records, others: shown.length - records.length }
}

function recordOf({ der, chain }: ShownCertificate): CertificateRecord[] {
  try {
    const record = certificateRecord(read(der), chain.map(read))
    return record.subject_cpf !== null && isCpf(record.subject_cpf) ? [record] : []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

const read = (der: Uint8Array): Certificate => Certificate.read(Buffer.from(der))

/** Writes what a token shows now and removes the rest; returns the ids of those removed. */
export async function writeShown(
  store: Store<Tables>,
  token: string,
  records: readonly CertificateRecord[],
  now: Date,
): Promise<readonly string[]> {
  const known = await store.db
    .selectFrom('certificate')
    .select(['id', 'fingerprint', 'removed_at'])
    .where('token', '=', token)
    .execute()
  const isShown = ({ fingerprint }: { readonly fingerprint: string }) =>
    records.some((record) => record.fingerprint === fingerprint)
  const gone = known.filter((row) => row.removed_at === null && !isShown(row)).map(({ id }) => id)
  const back = known.filter((row) => row.removed_at !== null && isShown(row)).map(({ id }) => id)
  const fresh = records.filter(({ fingerprint }) => !known.some((row) => row.fingerprint === fingerprint))
  if (gone.length + back.length + fresh.length === 0) return gone
  await store.transaction(async (tx) => {
    // Nothing of a PIN stays with a certificate that is gone.
    const removal = { removed_at: now.toISOString(), sealed_pin: null }
    if (gone.length > 0) await tx.updateTable('certificate').set(removal).where('id', 'in', gone).execute()
    if (back.length > 0) await tx.updateTable('certificate').set({ removed_at: null }).where('id', 'in', back).execute()
    for (const record of fresh)
      await tx
        .insertInto('certificate')
        .values(newRow(token, record, now))
        .execute()
    await store.notify(tx, CERTIFICATES_CHANNEL)
  })
  return gone
}

/** Removes the certificates of tokens that the settings name no more; returns their ids. */
export async function removeOfOtherTokens(store: Store<Tables>, tokens: readonly string[], now: Date) {
  const held = await store.db
    .selectFrom('certificate')
    .select(['id', 'token'])
    .where('token', 'is not', null)
    .where('removed_at', 'is', null)
    .execute()
  const gone = held.filter(({ token }) => !tokens.includes(token!)).map(({ id }) => id)
  if (gone.length === 0) return
  const removal = { removed_at: now.toISOString(), sealed_pin: null }
  await store.db.updateTable('certificate').set(removal).where('id', 'in', gone).execute()
}

const newRow = (token: string, record: CertificateRecord, now: Date): CertificateRow => ({
  id: newRowId(now),
  cpf: record.subject_cpf!,
  custody: 'token',
  workstation_id: null,
  token,
  ...record,
  ...unjudged,
  sealed_file: null,
  sealed_pin: null,
  created_at: now.toISOString(),
  removed_at: null,
})
