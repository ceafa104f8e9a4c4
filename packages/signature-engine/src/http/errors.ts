import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const httpErrors = {
  'http.bad-address': 'The address {url} is no http or https address this engine may call.',
  'http.unreachable': 'No connection to {url}: {reason}.',
  'http.tls': 'The TLS connection to {url} failed: {reason}.',
  'http.timeout': '{url} did not answer within {timeoutMs} ms.',
  'http.canceled': 'The call to {url} was canceled.',
  'http.broken': 'The answer of {url} broke off: {reason}.',
  'http.too-large': 'The answer of {url} is larger than {maxBytes} bytes.',
  'http.too-many-redirects': '{url} redirects more than {limit} times.',
  'http.refused-status': '{url} answered with status {status}.',
} as const satisfies ErrorVocabulary

export const refuseHttp = refuser(httpErrors)
