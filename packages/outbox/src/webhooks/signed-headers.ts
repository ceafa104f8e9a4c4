import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Bytes of a new secret; the scheme requires 24 to 64. */
const SECRET_BYTES = 32

/** A secret as receivers' libraries take it: `whsec_` and base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The key in a secret. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64'))

/** The signed content. */
interface SignedDelivery {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/** The headers of the Standard Webhooks scheme: a signature by each key, so that a receiver can switch. */
export function signedHeaders(
  { id, at, body }: SignedDelivery,
  keys: readonly KeyObject[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => `v1,${signature(key, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const signature = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64')
