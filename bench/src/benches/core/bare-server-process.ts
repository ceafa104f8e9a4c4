// The reference: Fastify as its documentation shows it, which takes the same bodies, checks that their fields are there,
// and answers the same texts. It judges nothing.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import { sendToParent } from '../../harness/program-side.ts'
import { type Answers, COMPLETION, PREPARATION } from './authentication-calls.ts'

const { prepared, completed } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Answers
const app = fastify()

const Completion = Type.Object({ state: Type.String(), certificate: Type.String(), signature: Type.String() })

app.post(PREPARATION, async () => prepared)
app.post(COMPLETION, { schema: { body: Completion } }, async () => completed)

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
