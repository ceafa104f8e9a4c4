import { createHmac, randomBytes } from 'node:crypto'

/** Bytes of a new secret; the scheme asks for 24 to 64. */
const SECRET_BYTES = 32

/** A secret as receivers' libraries take it: `whsec_` and base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** What the signature is over. */
interface SignedDelivery {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/** The headers of the Standard Webhooks scheme: a signature for each secret, so that a receiver can change over. */
export function signedHeaders(
  { id, at, body }: SignedDelivery,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${signature(secret, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const signature = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64'))
    .update(text)
    .digest('base64')
