/** Attributes of a cookie. Every cookie of the service is for all paths and HttpOnly, and over TLS `Secure`. */
export interface CookieAttributes {
  readonly sameSite: 'Strict' | 'Lax'
  /** How long the browser keeps it, in seconds; 0 deletes it. */
  readonly maxAgeSeconds: number
}

// RFC 6265 §4.1.1: a name is a token, a value has no spaces, quotes, commas, semicolons or backslashes.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/

/** Whether a text is a valid cookie or header name. */
export const isToken = (name: string): boolean => NAME.test(name)

/** The text of a Set-Cookie header; one of a response over TLS gets `Secure` and its prefix when it is sent. */
export function setCookie(name: string, value: string, { sameSite, maxAgeSeconds }: CookieAttributes): string {
  if (!NAME.test(name) || !VALUE.test(value)) throw new Error(`The cookie ${name} cannot be written.`)
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`]
  return [`${name}=${value}`, ...attributes].join('; ')
}

/** The value of a cookie in a Cookie header; the first one of that name counts, in the order browsers send them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}
