// The steps of the component in the browser: it has the token and no key (pki-core facts 3.2).

import { readCertificate } from '../../parts/trust/known-certificates.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import { toSign } from '../../rules/to-sign.ts'
import { isValid } from '../../rules/validation-results.ts'
import { findAuthentication, idOf, moveAuthentication } from '../../store/authentications.ts'
import type { AuthenticationRow } from '../../store/tables.ts'
import type { Dependencies } from './dependencies.ts'
import { judgeCertificate } from './judge-proof.ts'

/** One that still waits, whoever began it; a nonce is no token. */
async function requiredPending({ context }: Dependencies, token: string, now: Date) {
  const row = await findAuthentication(context.store.db, idOf(token), now)
  if (!row || row.state === 'Ended' || row.context_id === null) throw refuse('InvalidToken')
  return row as AuthenticationRow & { context_id: string }
}

const hashOf = ({ nonce }: AuthenticationRow) => {
  const { hash, digestAlgorithmOid } = toSign(Buffer.from(nonce, 'base64'))
  return { toSignHash: hash, digestAlgorithmOid }
}

export async function readPending(dependencies: Dependencies, token: string, now: Date) {
  const row = await requiredPending(dependencies, token, now)
  const certificate = row.certificate === null ? undefined : readCertificate(Buffer.from(row.certificate, 'base64'))
  return {
    certificateThumbprint: certificate ? Buffer.from(certificate.fingerprint, 'hex').toString('base64') : null,
    ...hashOf(row),
  }
}

/** Chooses the certificate. One that would fail later is refused now, while another can be chosen. */
export async function setCertificate(
  dependencies: Dependencies,
  token: string,
  der: string,
  culture: Culture,
  now: Date,
) {
  const row = await requiredPending(dependencies, token, now)
  const certificate = readCertificate(Buffer.from(der, 'base64'))
  if (!certificate) throw refuse('PKCertificateMalformed')
  const context = await dependencies.contexts.find(row.subscription_id, row.context_id)
  if (!context) throw refuse('InvalidToken')
  const options = { culture, ignoresUnknown: row.ignores_unknown === 1 }
  const { validationResults } = await judgeCertificate(certificate, context, options, now)
  if (!isValid(validationResults)) throw refuse('ValidationError', { validationResults })
  const set = await moveAuthentication(dependencies.context.store.db, row.id, 'setCertificate', { certificate: der })
  if (!set) throw refuse('ClientSignatureAlreadySet')
  return hashOf(set)
}

/** Leaves the signature; whoever began the authentication has it judged. */
export async function setSignature(
  dependencies: Dependencies,
  token: string,
  signature: string,
  now: Date,
): Promise<void> {
  const row = await requiredPending(dependencies, token, now)
  if (await moveAuthentication(dependencies.context.store.db, row.id, 'sign', { signature })) return
  throw row.state === 'Started' ? refuse('ClientSignatureNotSet') : refuse('ClientSignatureAlreadySet')
}
