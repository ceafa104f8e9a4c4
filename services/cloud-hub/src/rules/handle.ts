import { hash, randomBytes } from 'node:crypto'

const HANDLE_BYTES = 32

/** A value that opens something to whoever has it: 256 random bits, in characters that no address has to encode. */
export const newHandle = (): string => randomBytes(HANDLE_BYTES).toString('base64url')

/** What is stored of a handle. */
export const handleHash = (handle: string): string => hash('sha256', handle, 'base64url')

const HANDLE = /^[\w-]{43}$/

/** Whether a text can be a handle at all; what is not is looked up nowhere. */
export const isHandle = (text: unknown): text is string => typeof text === 'string' && HANDLE.test(text)
