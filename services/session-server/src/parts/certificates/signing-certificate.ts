import { signerReport } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { storedCertificate } from '../../rules/certificate-record.ts'
import { refuse } from '../../rules/refuse.ts'
import { type HeldRow, heldCertificate } from '../../store/certificate-rows.ts'
import type { LiveSession, SigningCertificate } from '../sessions/live-session.ts'
import type { Certificates } from './certificates.ts'

/** The row of a session's certificate; refused when it is no longer held. */
export async function boundCertificate(
  { store }: Pick<Context, 'store'>,
  { certificateId }: Pick<LiveSession, 'certificateId'>,
): Promise<HeldRow> {
  const row = await heldCertificate(store.db, certificateId)
  if (!row) throw refuse('CERT_NOT_FOUND')
  return row
}

/** A session's certificate, valid for signing, or the refusal with the reason. */
export async function signingCertificate(
  context: Pick<Context, 'store'>,
  certificates: Certificates,
  session: LiveSession,
  now: Date,
): Promise<SigningCertificate> {
  const row = await boundCertificate(context, session)
  const stored = storedCertificate(row)
  if (!stored) throw refuse('CERT_DATA_UNAVAILABLE')
  const status = certificates.statusOf(row, now)
  if (status !== 'ACTIVE') throw refuse('CERT_NOT_ACTIVE', { status })
  const { name, cpf, email } = signerReport(stored.certificate)
  const signer = {
    name: required('name', name),
    cpf: required('cpf', cpf),
    email: required('email', email ?? session.email),
  }
  return { id: row.id, ...stored, signer }
}

function required(field: 'name' | 'cpf' | 'email', value: string | null): string {
  if (value === null || value.trim() === '') throw refuse('CERT_INCOMPLETE_IDENTITY', { field })
  return value
}
