import { hash, randomBytes } from 'node:crypto'

/** How a key is written for its user: the secret alone, or `<application>|<secret>`. Both are accepted alike. */
export type KeyForm = 'secret' | 'application|secret'

const SECRET_BYTES = 32

/** A new secret: 256 random bits as 64 lower-case hexadecimal digits. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

/**
 * The stored form of a secret. One round of SHA-256 is right for a secret of 256 random bits: there is no dictionary to
 * try, so a slow password hash would only slow down every request.
 */
export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url')

/** The part of a presented key that authenticates: what follows the bar, where there is one. */
export const secretPart = (presented: string): string => presented.slice(presented.lastIndexOf('|') + 1)

export const writtenKey = (form: KeyForm, application: string, secret: string): string =>
  form === 'secret' ? secret : `${application}|${secret}`
