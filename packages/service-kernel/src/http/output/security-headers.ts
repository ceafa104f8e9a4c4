/** Headers of every response; a service overrides one, or removes it with `false`. */
export type HeaderOverrides = Readonly<Record<string, string | false>>

const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

// A table instead of a middleware: the same headers on every response, computed once. Responses contain personal data
// and signed documents, hence no-store; a handler whose response may be cached says so itself.
const everyAnswer: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

// Headers that matter for documents only; frame-ancestors in the policy covers the rest of x-frame-options.
const pagesOnly = { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' }

// Only where clients reach the service over TLS: on plain HTTP browsers must ignore it (RFC 6797 §8.1).
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains'

export interface SecurityHeaderOptions {
  /** True when clients reach the service over TLS, by a proxy or directly. Default false. */
  readonly strictTransport?: boolean | undefined
  /** Content security policy of routes with `page: true`. Default: everything from this origin only. */
  readonly pagePolicy?: string | undefined
  readonly overrides?: HeaderOverrides | undefined
}

/** The two header tables of an app: for API answers and for pages. */
export function securityHeaders({
  strictTransport = false,
  pagePolicy = PAGE_POLICY,
  overrides = {},
}: SecurityHeaderOptions) {
  const table = (policy: string): Readonly<Record<string, string>> => {
    const headers = {
      'content-security-policy': policy,
      ...everyAnswer,
      ...(policy !== API_POLICY && pagesOnly),
      ...(strictTransport && { 'strict-transport-security': STRICT_TRANSPORT }),
      ...lowerCased(overrides),
    }
    return Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  }
  return { api: table(API_POLICY), page: table(pagePolicy) }
}

const lowerCased = (overrides: HeaderOverrides): HeaderOverrides =>
  Object.fromEntries(Object.entries(overrides).map(([name, value]) => [name.toLowerCase(), value]))
