// The steps of the component in the browser for signatures: it has the token and no key (pki-core facts 3.2).
import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import { SHA256_OID } from '../../rules/to-sign.ts'
import { onlyError } from '../../rules/validation-results.ts'
import { idOf } from '../../store/authentications.ts'
import { findEarlier, moveEarlier } from '../../store/earlier-signatures.ts'
import { signingCertificate } from '../signatures/prepare-signature.ts'
import { type EarlierDependencies, prepareFor } from './start-signature.ts'

/** One that still waits, whoever began it. */
async function requiredPending({ context }: EarlierDependencies, token: string, now: Date) {
  const row = await findEarlier(context.store.db, idOf(token), now)
  if (!row || row.state === 'Completed') throw refuse('InvalidToken')
  return row
}

export async function readPending(dependencies: EarlierDependencies, token: string, now: Date) {
  const { certificate, to_sign_hash } = await requiredPending(dependencies, token, now)
  if (certificate === null || to_sign_hash === null) throw refuse('ToSignHashNotAvailable')
  const { fingerprint } = Certificate.read(Buffer.from(certificate, 'base64'))
  return {
    certificateThumbprint: Buffer.from(fingerprint, 'hex').toString('base64'),
    toSignHash: to_sign_hash,
    digestAlgorithmOid: SHA256_OID,
  }
}

/** Chooses the certificate, and another as long as nothing is signed; one that fails is refused while it can be changed. */
export async function setCertificate(
  dependencies: EarlierDependencies,
  token: string,
  der: string,
  culture: Culture,
  now: Date,
) {
  const row = await requiredPending(dependencies, token, now)
  if (row.state === 'Signed') throw refuse('ClientSignatureAlreadySet')
  const certificate = signingCertificate(der)
  if (row.certificate_fixed === 1 && row.certificate !== certificate.der.toString('base64'))
    throw refuse('CertificateMismatch')
  if (row.certificate_fixed === 1) return { toSignHash: row.to_sign_hash!, digestAlgorithmOid: SHA256_OID }
  const context = await dependencies.contexts.find(row.subscription_id, row.context_id)
  if (!context) throw refuse('InvalidToken')
  const { columns, shown } = await prepareFor(dependencies, row, certificate, context, culture, now)
  if (!(await moveEarlier(dependencies.context.store.db, row.id, 'prepare', columns)))
    throw refuse('ClientSignatureAlreadySet')
  return { toSignHash: shown.toSignHash, digestAlgorithmOid: shown.digestAlgorithmOid }
}

/** Leaves the signature. A wrong one is told at once: whoever has the key is still there. */
export async function setSignature(
  dependencies: EarlierDependencies,
  token: string,
  signature: string,
  culture: Culture,
  now: Date,
): Promise<void> {
  const row = await requiredPending(dependencies, token, now)
  const { plan, certificate, issuers, to_sign_hash } = row
  if (row.state === 'Signed') throw refuse('ClientSignatureAlreadySet')
  if (certificate === null || to_sign_hash === null) throw refuse('ToSignHashNotAvailable')
  const signer = Certificate.read(Buffer.from(certificate, 'base64'))
  if (!isDigestSignedBy(signer, 'sha256', Buffer.from(to_sign_hash, 'base64'), Buffer.from(signature, 'base64')))
    throw refuse('ValidationError', { validationResults: onlyError('SignatureAlgorithmValidationFailed', culture) })
  // Written together: meanwhile somebody may have chosen another certificate, which this signature is not of.
  const set = { signature, plan, certificate, issuers, to_sign_hash }
  if (!(await moveEarlier(dependencies.context.store.db, row.id, 'sign', set)))
    throw refuse('ClientSignatureAlreadySet')
}
