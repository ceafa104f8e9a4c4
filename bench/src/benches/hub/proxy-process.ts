// The limit: Fastify and undici as their documentation shows them, only forwarding the same bodies.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { Pool } from 'undici'
import { sendToParent } from '../../harness/program-side.ts'
import type { Listening } from '../http/contract.ts'

const [origin = '', path = ''] = process.argv.slice(2)
const provider = new Pool(origin)
const app = fastify()

interface SignHash {
  readonly hash: string
  readonly digestAlgorithmOid: string
}

app.post<{ Body: SignHash }>('/api/sessions/sign-hash', async ({ body }, reply) => {
  const { hash, digestAlgorithmOid } = body
  const answer = await provider.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    body: JSON.stringify({
      certificate_alias: 'bench',
      hashes: [{ id: '0', alias: 'bench', hash, hash_algorithm: digestAlgorithmOid, signature_format: 'RAW' }],
    }),
  })
  const { signatures } = (await answer.body.json()) as { signatures: readonly { raw_signature: string }[] }
  return reply.type('application/json').send(JSON.stringify(signatures[0]!.raw_signature))
})

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent({ port: (app.server.address() as AddressInfo).port, headers: {} } satisfies Listening)
