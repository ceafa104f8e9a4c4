import { createHash, createHmac } from 'node:crypto'

/** A request before it is signed. */
export interface S3Request {
  readonly method: string
  readonly url: URL
  /** Lower-case names; `host` comes from the URL. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body in hexadecimal. */
  readonly bodyDigest: string
}

export interface S3Key {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'

/**
 * The request's headers with an AWS Signature Version 4, as S3-compatible stores require. All headers and the digest of
 * the body are signed, so that nothing can be changed in transit.
 */
export function signedHeaders(request: S3Request, key: S3Key, now: Date): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyDigest,
    'x-amz-date': time,
  }
  const names = Object.keys(headers).sort()
  const scope = [time.slice(0, 8), key.region, SERVICE, 'aws4_request'].join('/')
  const toSign = [ALGORITHM, time, scope, sha256(canonicalRequest(request, headers, names))].join('\n')
  const signature = hmac(signingKey(key, scope), toSign).toString('hex')
  const credential = `Credential=${key.accessKeyId}/${scope}`
  return {
    ...headers,
    authorization: `${ALGORITHM} ${credential},SignedHeaders=${names.join(';')},Signature=${signature}`,
  }
}

function canonicalRequest(
  { method, url, bodyDigest }: S3Request,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): string {
  const lines = names.map((name) => `${name}:${headers[name]!.trim().replaceAll(/ +/g, ' ')}\n`)
  return [method, url.pathname, canonicalQuery(url), lines.join(''), names.join(';'), bodyDigest].join('\n')
}

const canonicalQuery = ({ searchParams }: URL): string =>
  [...searchParams]
    .map(([name, value]) => `${encodedPart(name)}=${encodedPart(value)}`)
    .sort()
    .join('&')

/** RFC 3986: everything but letters, digits and `-._~` is escaped. */
export const encodedPart = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const signingKey = ({ secretAccessKey }: S3Key, scope: string): Buffer =>
  scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`))

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
