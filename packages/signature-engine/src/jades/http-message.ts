import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { type Check, digestCheck, notChecked, worstCheck } from '../report/check.ts'
import { fromBase64 } from './jws.ts'

/** An HTTP message; a signature is over some of its header fields (TS 119 182-1 §5.2.8.2). */
export interface HttpMessage {
  /** Of a request. */
  readonly method?: string
  /** Of a request: the path with its query. */
  readonly target?: string
  /** Header fields in their order; a name may come several times. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
}

/** The payload that these names stand for; the name of one that the message does not have. */
export function payloadOf(
  names: readonly string[],
  message: HttpMessage,
): { readonly payload: Buffer } | { readonly missing: string } {
  const lines: string[] = []
  for (const name of names.map((one) => one.toLowerCase())) {
    const value = fieldOf(name, message)
    if (value === undefined) return { missing: name }
    lines.push(`${name}: ${value}`)
  }
  return { payload: Buffer.from(lines.join('\n'), 'utf8') }
}

/** draft-cavage-http-signatures-10 §2.3: values of one name are joined as they come. */
function fieldOf(name: string, { method, target, fields }: HttpMessage): string | undefined {
  if (name === '(request-target)')
    return method === undefined || target === undefined ? undefined : `${method.toLowerCase()} ${target}`
  const values = fields.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value.replace(OWS, ''))
  return values.length === 0 ? undefined : values.join(', ')
}

/** Optional white space around a value (RFC 7230 §3.2.4). */
const OWS = /^[ \t]+|[ \t]+$/g

/** RFC 3230 §4.1.1, RFC 5843 §2.1: SHA-1 and older ones say too little. */
const digests: Readonly<Record<string, DigestName>> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' }

/** Whether the body is the one that the field `Digest` is of: by every algorithm that is known. */
export function bodyCheck(message: HttpMessage): Check {
  const { body } = message
  const checks = (fieldOf('digest', message) ?? '').split(',').flatMap((entry) => {
    const [, algorithm = '', value = ''] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(entry) ?? []
    const name = Object.hasOwn(digests, algorithm.toLowerCase()) ? digests[algorithm.toLowerCase()] : undefined
    return name ? [digestCheck(name, fromBase64(value), () => body && digest(name, body))] : []
  })
  return checks.length === 0 ? notChecked('algorithm-unknown') : worstCheck(checks)
}
