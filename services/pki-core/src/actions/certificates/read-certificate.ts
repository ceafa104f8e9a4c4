// A certificate that the caller's subscription has met (pki-core facts 4).
import type { Context } from '../../context.ts'
import type { CertificateFullView } from '../../contract/certificates.ts'
import { keptCertificate } from '../../parts/trust/known-certificates.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { findCertificate } from '../../store/certificates.ts'

const LINE = /.{1,64}/g

const pem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(LINE)!.join('\n')}\n-----END CERTIFICATE-----\n`

/** Certificates of other subscriptions do not exist for the caller, even where it knows their thumbprint. */
export async function readCertificate(
  { context }: { readonly context: Pick<Context, 'store'> },
  { subscriptionId }: Caller,
  thumbprint: string,
  wants: { readonly fillEncoded?: boolean; readonly fillPemEncoded?: boolean },
): Promise<CertificateFullView> {
  const row = await findCertificate(context.store.db, subscriptionId, thumbprint.toLowerCase())
  if (!row) throw refuse('EntityNotFound', { entity: 'Certificate', id: thumbprint })
  const issuers = (JSON.parse(row.issuers) as string[]).map(keptCertificate)
  return {
    ...certificateModel(keptCertificate(row.certificate), issuers),
    encoded: wants.fillEncoded ? row.certificate : null,
    pemEncoded: wants.fillPemEncoded ? pem(row.certificate) : null,
    downloadUrl: null,
  }
}
