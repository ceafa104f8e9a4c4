// The reference: Fastify as its documentation shows it, validating and serialising by the same schemas.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import type { Static } from 'typebox'
import { sendToParent } from '../../harness/program-side.ts'
import { acceptJob, JobAnswer, JobRequest, type Listening, path } from './contract.ts'

const app = fastify()

app.post<{ Body: Static<typeof JobRequest> }>(
  path,
  { schema: { body: JobRequest, response: { 200: JobAnswer } } },
  async (request) => acceptJob(request.body),
)

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent({ port: (app.server.address() as AddressInfo).port, headers: {} } satisfies Listening)
