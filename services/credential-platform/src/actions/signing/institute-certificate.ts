// The certificate that signs for an institution without a person.
import { changesOf } from '@chancela/service-kernel/events'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { type Certificate, holderOf, readCertificates } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import type { CertificateView } from '../../contract/signing.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { judgedIssuers } from '../../parts/signing/sign-steps.ts'
import { openKey, sealKey } from '../../parts/signing/stored-keys.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { openDocumentsOf } from '../../store/documents.ts'
import { deleteCertificate, findCertificate, writeCertificate } from '../../store/institute-certificates.ts'
import { lockSubscription } from '../../store/subscriptions.ts'
import type { InstituteCertificateRow, InstituteRow } from '../../store/tenant-tables.ts'
import { gone, made, record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

interface Dependencies {
  readonly context: Context
  readonly signing: Signing
  readonly desk: SigningDesk
}

const view = (
  certificate: Certificate,
  { created_at }: Pick<InstituteCertificateRow, 'created_at'>,
): CertificateView => ({
  subject: certificate.subject.toString(),
  issuer: certificate.issuer.toString(),
  serialNumber: certificate.serialNumber.toString('hex'),
  cnpj: holderOf(certificate).cnpj ?? '',
  notBefore: certificate.notBefore.toISOString(),
  notAfter: certificate.notAfter.toISOString(),
  creationDate: created_at,
})

const entityOf = ({ id }: InstituteRow) => ({ type: 'Institute', id })

function told({ certificate, subject, not_after }: InstituteCertificateRow) {
  const [{ serialNumber }] = readCertificates(Buffer.from(certificate)) as [Certificate]
  return { subject, serialNumber: serialNumber.toString('hex'), notAfter: not_after }
}

export async function put(
  { context, signing, desk }: Dependencies,
  caller: Caller,
  id: string,
  { content, password }: { readonly content: string; readonly password: string },
  now: Date,
): Promise<CertificateView> {
  const institute = await requiredInstitute(context.store.db, caller, id)
  const { certificate } = await soundKey(signing, institute, content, password, now)
  const row: InstituteCertificateRow = {
    institute_id: institute.id,
    sealed_key: sealKey(context, institute.id, { pkcs12: content, password }),
    certificate: pemOf(certificate),
    subject: certificate.subject.toString(),
    not_after: certificate.notAfter.toISOString(),
    created_at: now.toISOString(),
  }
  await context.store.transaction(async (tx) => {
    await lockSubscription(tx, caller.subscriptionId)
    const former = await findCertificate(tx, institute.id)
    await writeCertificate(tx, row)
    const changes = former ? changesOf(told(former), told(row)) : made(told(row))
    const data = { subject: row.subject, notAfter: row.not_after }
    await record(tx, caller, { type: 'InstituteCertificateStored', entity: entityOf(institute), data, changes }, now)
    // What waited for a certificate gets on with this one.
    await desk.queue(tx, await openDocumentsOf(tx, institute.id), now)
  })
  return view(certificate, row)
}

/** A key that can sign for this institution now. */
async function soundKey(
  signing: Signing,
  { cnpj }: InstituteRow,
  content: string,
  password: string,
  now: Date,
): Promise<DigestSigner> {
  const key = await openKey(Buffer.from(content, 'base64'), password)
  if (typeof key === 'string') throw wrongData({ content: [key] })
  const found = holderOf(key.certificate).cnpj
  if (found !== cnpj)
    throw wrongData({
      content: [`is of ${found === null ? 'no institution' : `CNPJ ${found}`}, and the institution's is ${cnpj}`],
    })
  await judgedIssuers(signing, key.certificate, key.chain, now)
  return key
}

const pemOf = ({ der }: Certificate): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trim()}\n-----END CERTIFICATE-----\n`

export async function read(
  { context }: Pick<Dependencies, 'context'>,
  caller: Caller,
  id: string,
): Promise<CertificateView> {
  const institute = await requiredInstitute(context.store.db, caller, id)
  const row = await findCertificate(context.store.db, institute.id)
  if (!row) throw refuse('certificate-not-found')
  const [certificate] = readCertificates(Buffer.from(row.certificate))
  return view(certificate!, row)
}

export function remove(
  { context }: Pick<Dependencies, 'context'>,
  caller: Caller,
  id: string,
  now: Date,
): Promise<void> {
  return context.store.transaction(async (tx) => {
    const institute = await requiredInstitute(tx, caller, id)
    await lockSubscription(tx, caller.subscriptionId)
    const former = await findCertificate(tx, institute.id)
    if (!former || !(await deleteCertificate(tx, institute.id))) throw refuse('certificate-not-found')
    const changes = gone(told(former))
    await record(tx, caller, { type: 'InstituteCertificateDeleted', entity: entityOf(institute), changes }, now)
  })
}
