import { hash } from 'node:crypto'
import type { Db } from '@chancela/service-kernel/store'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { KnownCertificateRow } from '../../store/certificate-tables.ts'
import { isWrittenDown, writeCertificate } from '../../store/certificates.ts'
import type { Tables } from '../../store/tables.ts'

/** What is to be written down of a certificate that a subscription meets; undefined where that was done lately. */
export async function newlyMet(
  db: Db<Tables>,
  subscriptionId: string,
  { der }: Certificate,
  issuers: readonly Certificate[],
  now: Date,
): Promise<KnownCertificateRow | undefined> {
  const [thumbprint, at] = [hash('sha256', der), now.toISOString()]
  if (await isWrittenDown(db, subscriptionId, thumbprint, now)) return undefined
  return {
    subscription_id: subscriptionId,
    thumbprint,
    certificate: der.toString('base64'),
    issuers: JSON.stringify(issuers.map((issuer) => issuer.der.toString('base64'))),
    first_at: at,
    last_at: at,
  }
}

/** Writes down that a subscription has met a certificate; with what it is used for, so that neither is there alone. */
export async function remember(...met: Parameters<typeof newlyMet>): Promise<void> {
  const row = await newlyMet(...met)
  if (row) await writeCertificate(met[0], row)
}
