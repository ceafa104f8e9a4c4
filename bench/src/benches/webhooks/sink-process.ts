// A receiver that reads the request and answers at once, in a process of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendToParent } from '../../harness/program-side.ts'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => sendToParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`))
