/**
 * Names whose values are secrets or act as one, in a query, a path parameter or a log field. Matching is by part of the
 * name, so `sessionToken` and `X-Api-Key` are covered by `token` and `key`.
 */
const PARTS = [
  'password',
  'passphrase',
  'pin',
  'secret',
  'token',
  'key',
  'salt',
  'authorization',
  'cookie',
  'session',
  'signature',
  'ticket',
  'code',
  'state',
  'otp',
  'cpf',
  'cnpj',
  'identifier',
  'loginhint',
]

// Short parts also occur in harmless words (shipping, option, encoded): they count only at the end of a word.
const SHORT = new Set(['pin', 'otp', 'key', 'code', 'state', 'salt'])

const words = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)

/** Whether the value under a name must not reach a log. */
export const isSensitive = (name: string): boolean => {
  const parts = words(name)
  const whole = parts.join('')
  return PARTS.some((part) => (SHORT.has(part) ? parts.some((word) => word.endsWith(part)) : whole.includes(part)))
}

export const MASK = '***'
