import { createHash, randomBytes } from 'node:crypto'

/** The token of a page: whoever has it is the person before the camera. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/**
 * The ticket that belongs to a token. Made, not kept: a page that lost the last answer asks again and gets the same, and
 * the database holds only its hash. It is of use only to whoever has an API key as well, and only once.
 */
export const ticketOf = (token: string): string => digest(`ticket ${token}`)

/** What a token or a ticket is kept under. */
export const hashOf = (text: string): string => digest(`kept ${text}`)

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
