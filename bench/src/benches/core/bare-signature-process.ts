// What no server with this contract goes below: Fastify as its documentation shows it, which takes the same bodies, makes
// both files durable, and answers texts of the same length. It signs and judges nothing.
import { randomUUID } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { sendToParent } from '../../harness/program-side.ts'
import { COMPLETION, PREPARATION, type SignatureAnswers } from './signature-calls.ts'

const [answersFile = '', folder = ''] = process.argv.slice(2)
const { prepared, completed, signed } = JSON.parse(await readFile(answersFile, 'utf8')) as SignatureAnswers
const signedBytes = Buffer.from(signed, 'base64')
const app = fastify({ bodyLimit: 1_000_000 })

async function keep(bytes: Uint8Array): Promise<void> {
  const file = await open(join(folder, randomUUID()), 'wx')
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
}

app.post(PREPARATION, async ({ body }) => {
  await keep(Buffer.from((body as { file: { content: string } }).file.content, 'base64'))
  return prepared
})
app.post(COMPLETION, async () => {
  await keep(signedBytes)
  return completed
})

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
