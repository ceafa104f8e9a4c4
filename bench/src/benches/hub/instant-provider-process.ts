// A provider that answers at once, in the protocol of ICP-Brasil: the benchmark measures what the hub adds. It signs
// each hash once and caches the signature, because RSA would take most of the time otherwise.
import { constants, createPrivateKey, privateEncrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendToParent } from '../../harness/program-side.ts'

const [keyFile = '', certificateFile = ''] = process.argv.slice(2)
const key = createPrivateKey(readFileSync(keyFile))
const certificate = readFileSync(certificateFile, 'utf8')

/** The message of a provider that listens. */
export interface ProviderAddress {
  readonly port: number
}

const SHA_256 = Buffer.from('3031300d060960864801650304020105000420', 'hex')
const signatures = new Map<string, string>()

function signatureOf(hash: string): string {
  const known = signatures.get(hash)
  if (known !== undefined) return known
  const block = Buffer.concat([SHA_256, Buffer.from(hash, 'base64')])
  const made = privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, block).toString('base64')
  signatures.set(hash, made)
  return made
}

interface Asked {
  readonly url: URL
  readonly body: string
}

interface HashToSign {
  readonly id: string
  readonly hash: string
}

/** By the last part of the path; the part before names one of many providers, `slow-200` with its delay. */
const operations: Readonly<Record<string, (asked: Asked) => object | Promise<object>>> = {
  'user-discovery': async ({ url }) => {
    await sleep(Number(/\/slow-(\d+)/.exec(url.pathname)?.[1] ?? 0))
    return { status: 'S', slots: [{ slot_alias: 'bench', label: 'bench' }] }
  },
  token: ({ body }) => ({
    access_token: `token-${new URLSearchParams(body).get('code')}`,
    token_type: 'Bearer',
    expires_in: 604_800,
    scope: 'signature_session',
  }),
  'certificate-discovery': () => ({ status: 'S', certificates: [{ alias: 'bench', certificate }] }),
  signature: ({ body }) => {
    const { hashes } = JSON.parse(body) as { hashes: readonly HashToSign[] }
    return {
      certificate_alias: 'bench',
      signatures: hashes.map(({ id, hash }) => ({ id, raw_signature: signatureOf(hash) })),
    }
  },
}

let codes = 0

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider')
  const operation = url.pathname.split('/').at(-1) ?? ''
  if (operation === 'authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('code', String(++codes))
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
    return
  }
  const body = await text(request)
  const answered = JSON.stringify((await operations[operation]?.({ url, body })) ?? { error: 'invalid_request' })
  response
    .writeHead(operations[operation] ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answered),
    })
    .end(answered)
}

const server = createServer((request, response) => void answer(request, response))
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () =>
  sendToParent({ port: (server.address() as AddressInfo).port } satisfies ProviderAddress),
)
