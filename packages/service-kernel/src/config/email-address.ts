// What browsers take as an e-mail address (HTML, "valid e-mail address"): no comments, quotes or line ends, so that it
// can stand in a header or an SMTP command as it is.
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

// RFC 5321 §4.5.3.1, and 254 because a path in angle brackets may have 256.
const LONGEST = 254
const LONGEST_LOCAL = 64

/** Whether a text can be an e-mail address. Whether it exists, only sending shows. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  return text.length <= LONGEST && local.length <= LONGEST_LOCAL && LOCAL.test(local) && DOMAIN.test(text.slice(at + 1))
}
