/** Words, in the singular, that make a name that of a secret. Whole words count: `pin` is one, `shipping` is not. */
const SECRET_WORDS = new Set([
  'authorization',
  'cookie',
  'credential',
  'otp',
  'passphrase',
  'passwd',
  'password',
  'pin',
  'pwd',
  'secret',
  'seed',
  'token',
])

/** Names that mean a secret only as a phrase. */
const SECRET_PHRASES = ['api key', 'private key', 'master key', 'account key']

/**
 * A copy that may be stored: values under a secret's name are replaced, at any depth, and bytes by their length,
 * because they may be a key. That a value exists, and booleans, are kept.
 */
export function redact(value: unknown, name = ''): unknown {
  if (isSecretName(name) && value !== null && value !== undefined && typeof value !== 'boolean') return '(redacted)'
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`
  if (Array.isArray(value)) return value.map((item) => redact(item))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner, key)]))
}

function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return (
    words.some((word) => SECRET_WORDS.has(word.replace(/s$/, ''))) ||
    SECRET_PHRASES.some((phrase) => ` ${words.join(' ')} `.includes(` ${phrase} `))
  )
}

/** `webhookToken`, `webhook_token`, `Webhook-Token` and `APIKey` are two words each. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

// A Date and the like have a `toJSON` of their own.
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function'
