// What one side brings to TLS: its key, in a certificate that it signs itself. The other side compares the key with the
// one it pinned at the enrolment, and nothing else of the certificate.
import { createPublicKey, type X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import {
  bitString,
  explicit,
  generalizedTime,
  integer,
  oid,
  sequence,
  setOf,
  time,
  toPem,
  utf8String,
} from '@chancela/signature-engine/der'
import { type Identity, identityOf } from './identity.ts'

/** RFC 8410 §3. */
const ED25519 = sequence(oid('1.3.101.112'))

const COMMON_NAME = oid('2.5.4.3')

/** RFC 5280 §4.1.2.5: without an end. Computers of holders have any date, and the key is what counts. */
const ALWAYS = sequence(time(new Date('2000-01-01T00:00:00Z')), generalizedTime(new Date('9999-12-31T23:59:59Z')))

/** Opened once: a private key is opened where a module of a token may have left errors to OpenSSL. */
export interface OwnSide {
  readonly identity: Identity
  readonly context: SecureContext
}

export function ownSideOf(secret: string): OwnSide {
  const identity = identityOf(secret)
  return { identity, context: contextOf(identity) }
}

const contextOf = (identity: Identity): SecureContext =>
  createSecureContext({
    key: identity.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: toPem('CERTIFICATE', certificateOf(identity)),
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
  })

/** RFC 8446 §4.4.2 wants version 3. The same identity has the same certificate. */
function certificateOf({ privateKey, sign }: Identity): Buffer {
  const name = sequence(setOf(sequence(COMMON_NAME, utf8String('chancela agent channel'))))
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const content = sequence(explicit(0, integer(2)), integer(1), ED25519, name, ALWAYS, name, key)
  return sequence(content, ED25519, bitString(sign(content)))
}

/** The Ed25519 key the other side proved, base64url; undefined when it showed none, or one of another kind. */
export function provenKeyOf(tls: TLSSocket): string | undefined {
  const shown: X509Certificate | undefined = tls.getPeerX509Certificate()
  const { kty, crv, x } = shown?.publicKey.export({ format: 'jwk' }) ?? {}
  return kty === 'OKP' && crv === 'Ed25519' ? x : undefined
}
