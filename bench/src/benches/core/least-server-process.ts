// What no server with these promises goes below: Fastify as its documentation shows it, which seals and opens the state,
// verifies the signature and writes the two durable rows, and answers the same texts. It knows no callers, judges no
// certificate, and measures and logs nothing.
import { createCipheriv, createDecipheriv, randomBytes, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from '@photostructure/sqlite'
import { fastify } from 'fastify'
import { type Static, Type } from 'typebox'
import { sendToParent } from '../../harness/program-side.ts'
import { type Answers, COMPLETION, PREPARATION } from './authentication-calls.ts'

const [answersFile = '', databaseFile = ''] = process.argv.slice(2)
const { prepared, completed } = JSON.parse(readFileSync(answersFile, 'utf8')) as Answers
const key = randomBytes(32)
const certificates = new Map<string, X509Certificate>()

const database = new DatabaseSync(databaseFile)
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('create table nonces (nonce text primary key)')
database.exec('create table entries (id integer primary key, moment text, result text)')
const insertNonce = database.prepare('insert into nonces values (?)')
const insertEntry = database.prepare('insert into entries (moment, result) values (?, ?)')

function seal(nonce: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([iv, cipher.update(nonce), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function open(state: string): Buffer {
  const sealed = Buffer.from(state, 'base64')
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  cipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()])
}

function keyOf(certificate: string): X509Certificate['publicKey'] {
  const known = certificates.get(certificate) ?? new X509Certificate(Buffer.from(certificate, 'base64'))
  certificates.set(certificate, known)
  return known.publicKey
}

function record(nonce: string): void {
  database.exec('begin immediate')
  insertNonce.run(nonce)
  insertEntry.run(new Date().toISOString(), JSON.stringify(completed))
  database.exec('commit')
}

const Completion = Type.Object({ state: Type.String(), certificate: Type.String(), signature: Type.String() })

const app = fastify()

app.post(PREPARATION, async () => {
  const nonce = randomBytes(32)
  return { ...prepared, state: seal(nonce), toSign: { ...prepared.toSign, data: nonce.toString('base64') } }
})

app.post(COMPLETION, { schema: { body: Completion } }, async ({ body }) => {
  const { state, certificate, signature } = body as Static<typeof Completion>
  const nonce = open(state)
  if (!verify('sha256', nonce, keyOf(certificate), Buffer.from(signature, 'base64'))) throw new Error('Not signed.')
  record(nonce.toString('base64'))
  return completed
})

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
