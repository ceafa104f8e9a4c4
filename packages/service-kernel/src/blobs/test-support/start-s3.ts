import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenDone } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import S3rver from 's3rver'

export const s3Account = {
  region: 'sa-east-1',
  bucket: 'documents',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
} as const

export interface RunningS3 {
  readonly endpoint: string
  /** `PUT /documents/…` of every request passed on. */
  readonly requests: readonly string[]
  /** Statuses to answer the next requests with, instead of passing them on. */
  readonly failures: number[]
  /** From now on answers to GET have another last byte. */
  lie(): void
}

/**
 * A real S3 server. It accepts any version 4 signature, so a proxy before it recomputes each one from the received
 * request and body, as the scheme's description says.
 */
export async function startS3(): Promise<RunningS3> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: temporaryFolder(),
    configureBuckets: [{ name: s3Account.bucket, configs: [] }],
  })
  const { port } = await server.run()
  const requests: string[] = []
  const failures: number[] = []
  const mood = { lies: false }
  const gate = http.createServer((request, answer) => void guard(request, answer, port, { requests, failures, mood }))
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  whenDone(async () => {
    gate.closeAllConnections()
    gate.close()
    await server.close()
  })
  const lie = () => {
    mood.lies = true
  }
  return { endpoint: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`, requests, failures, lie }
}

async function guard(
  request: http.IncomingMessage,
  answer: http.ServerResponse,
  port: number,
  { requests, failures, mood }: { requests: string[]; failures: number[]; mood: { readonly lies: boolean } },
): Promise<void> {
  const body = await readAll(request)
  const failure = failures.shift() ?? (isSignedWell(request, body) ? undefined : 403)
  if (failure !== undefined) return void answer.writeHead(failure).end('<Error><Code>Refused</Code></Error>')
  requests.push(`${request.method} ${request.url}`)
  const { method, url, headers } = request
  const inner = http.request({ port, method, path: url, headers }, (from) => {
    answer.writeHead(from.statusCode!, from.headers)
    if (mood.lies && method === 'GET') void readAll(from).then((bytes) => answer.end(altered(bytes)))
    else from.pipe(answer)
  })
  inner.end(body)
}

async function readAll(message: http.IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return Buffer.concat(pieces)
}

function altered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1]! ^= 1
  return copy
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')

function isSignedWell({ method, url, headers }: http.IncomingMessage, body: Buffer): boolean {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (!given || headers['x-amz-content-sha256'] !== sha256(body)) return false
  const [, credential, names, signature] = given
  const [path, query = ''] = url!.split('?')
  const lines = names!.split(';').map((name) => `${name}:${headers[name]}\n`)
  const sorted = query.split('&').sort().join('&')
  const canonical = [method, path, sorted, lines.join(''), names, sha256(body)].join('\n')
  const [keyId, day, region, ...rest] = credential!.split('/')
  if (keyId !== s3Account.accessKeyId || region !== s3Account.region || rest.join('/') !== 's3/aws4_request')
    return false
  const toSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${[day, region, ...rest].join('/')}\n${sha256(canonical)}`
  const key = hmac(hmac(hmac(hmac(`AWS4${s3Account.secretAccessKey}`, day!), region!), 's3'), 'aws4_request')
  return hmac(key, toSign).toString('hex') === signature && names!.split(';').includes('host')
}
