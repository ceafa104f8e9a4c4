import { hash, randomBytes } from 'node:crypto'

const HANDLE_BYTES = 32

/** A bearer secret: 256 random bits, in characters that need no URL encoding. */
export const newHandle = (): string => randomBytes(HANDLE_BYTES).toString('base64url')

/** The stored hash of a handle. */
export const handleHash = (handle: string): string => hash('sha256', handle, 'base64url')

const HANDLE = /^[\w-]{43}$/

/** Whether a text has the form of a handle; anything else is not looked up. */
export const isHandle = (text: unknown): text is string => typeof text === 'string' && HANDLE.test(text)
