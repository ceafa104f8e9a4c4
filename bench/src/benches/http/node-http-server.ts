// Raw node:http for scale: no validation, no routing, the least a JSON answer costs on this runtime.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendToParent } from '../../harness/program-side.ts'
import { acceptJob, type Listening } from './contract.ts'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const answer = JSON.stringify(acceptJob(JSON.parse(Buffer.concat(chunks).toString())))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  sendToParent({ port, headers: {} } satisfies Listening)
})
