// What no server with these promises goes below: the bare proxy, which also knows its callers by the hash of their key,
// reads the session of every call from the database, verifies the signature, and answers once the use is a durable row,
// several in one commit. It judges no input, and measures and logs nothing.
import { constants, hash, publicDecrypt, randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from '@photostructure/sqlite'
import { fastify } from 'fastify'
import { Pool } from 'undici'
import { sendToParent } from '../../harness/program-side.ts'
import type { Listening } from '../http/contract.ts'

const [origin = '', path = '', certificateFile = '', databaseFile = ''] = process.argv.slice(2)
const GATHER_MS = 5
const KEY = 'k'.repeat(64)
const SESSION = 's'.repeat(43)

const provider = new Pool(origin)
const key = new X509Certificate(readFileSync(certificateFile)).publicKey
const keys = new Map([[hash('sha256', KEY, 'base64url'), randomUUID()]])

const database = new DatabaseSync(databaseFile)
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('create table session (id text primary key, value_hash text unique, grant text, expires_at text)')
database.exec(
  'create table session_use (id text primary key, at text, session_id text, key_id text, correlation_id text)',
)
for (const column of ['at', 'session_id, id', 'key_id, id'])
  database.exec(`create index "${column}" on session_use (${column})`)
database
  .prepare('insert into session values (?, ?, ?, ?)')
  .run(randomUUID(), hash('sha256', SESSION, 'base64url'), JSON.stringify({ token: 'token' }), '9999')
const findSession = database.prepare('select id, grant, expires_at from session where value_hash = ?')
const insertUse = database.prepare('insert into session_use values (?, ?, ?, ?, ?)')

let waiting: (() => void)[] = []
let underWay = 0
let timer: NodeJS.Timeout | undefined

/** Resolves once the row is durable, in one commit with those of half of the calls under way. */
function record(session: string, caller: string): Promise<void> {
  if (waiting.length === 0) {
    timer = setTimeout(commit, GATHER_MS)
    database.exec('begin immediate')
  }
  insertUse.run(randomUUID(), new Date().toISOString(), session, caller, randomUUID())
  if ((waiting.length + 1) * 2 === underWay) setImmediate(commit)
  return new Promise((resolve) => waiting.push(resolve))
}

function commit(): void {
  if (waiting.length === 0) return
  clearTimeout(timer)
  database.exec('commit')
  underWay -= waiting.length
  const written = waiting
  waiting = []
  for (const resolve of written) resolve()
}

const app = fastify()

interface SignHash {
  readonly session: string
  readonly hash: string
  readonly digestAlgorithmOid: string
}

interface Session {
  readonly id: string
  readonly grant: string
  readonly expires_at: string
}

const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

app.post<{ Body: SignHash }>('/api/sessions/sign-hash', async ({ body, headers }, reply) => {
  underWay += 1
  const caller = keys.get(hash('sha256', String(headers['x-api-key']), 'base64url'))
  const session = findSession.get(hash('sha256', body.session, 'base64url')) as Session | undefined
  if (!caller || !session || session.expires_at <= new Date().toISOString()) throw new Error('Not authorized.')
  const { token } = JSON.parse(session.grant) as { token: string }
  const answer = await provider.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      certificate_alias: 'bench',
      hashes: [
        { id: '0', alias: 'bench', hash: body.hash, hash_algorithm: body.digestAlgorithmOid, signature_format: 'RAW' },
      ],
    }),
  })
  const { signatures } = (await answer.body.json()) as { signatures: readonly { raw_signature: string }[] }
  const signature = signatures[0]!.raw_signature
  const signed = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signature, 'base64'))
  if (!signed.equals(Buffer.concat([DIGEST_INFO, Buffer.from(body.hash, 'base64')]))) throw new Error('Not signed.')
  await record(session.id, caller)
  return reply.type('application/json').send(JSON.stringify(signature))
})

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent({
  port: (app.server.address() as AddressInfo).port,
  headers: { 'X-Api-Key': KEY },
} satisfies Listening)
