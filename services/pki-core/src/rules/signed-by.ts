import { type KeyObject, verify, X509Certificate } from 'node:crypto'

/** Whether the key of a certificate signed these bytes with SHA-256; all in base64. */
export function isSignedBy(certificate: string, bytes: string, signature: string): boolean {
  const key: KeyObject = new X509Certificate(Buffer.from(certificate, 'base64')).publicKey
  return verify('sha256', Buffer.from(bytes, 'base64'), key, Buffer.from(signature, 'base64'))
}
