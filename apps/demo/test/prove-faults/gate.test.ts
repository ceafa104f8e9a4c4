import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Gate, type GateMode } from './gate.ts'

const BODY = 'a'.repeat(500)

async function gateBeforeServer(): Promise<Gate> {
  const server = createServer((_, answer) => answer.end(BODY))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gate = await Gate.make()
  gate.leadTo((server.address() as AddressInfo).port)
  onTestFinished(async () => {
    await gate.close()
    server.closeAllConnections()
    server.close()
  })
  return gate
}

/** The body, or the code of the error; `silence` when there is neither within the time. */
function ask({ port }: Gate, timeout?: number): Promise<string> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', agent: false, timeout }, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (text) => (body += text))
      answer.on('end', () => resolve(body))
      answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
    })
    request.on('timeout', () => resolve('silence'))
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
  })
}

test('a gate passes on what comes, breaks it as it is told, and passes it on again', async () => {
  const gate = await gateBeforeServer()
  const seen: Partial<Record<GateMode, string>> = {}
  for (const mode of ['open', 'refuses', 'hangs', 'resets', 'lies', 'open'] as const) {
    gate.set(mode)
    seen[mode] = await ask(gate, mode === 'hangs' ? 300 : undefined)
  }
  expect(seen).toEqual({
    open: BODY,
    refuses: 'ECONNRESET',
    hangs: 'silence',
    resets: 'ECONNRESET',
    lies: expect.stringMatching(/^A[aA]{499}$/),
  })
})
