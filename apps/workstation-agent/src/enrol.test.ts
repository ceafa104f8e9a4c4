import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { enrol } from './enrol.ts'

const CODE = 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA'

async function refusalOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const home = temporaryFolder()
  const { port } = server.address() as AddressInfo
  const refusal = await enrol(home, `http://127.0.0.1:${port}`, CODE).catch((error: Error) => error)
  expect(readdirSync(home)).toEqual([])
  return (refusal as Error).message.replace(String(port), 'port')
}

test('an answer without end is cut off, and enrols nobody', async () => {
  const refusal = await refusalOf((_, response) => {
    const more = setInterval(() => response.write(Buffer.alloc(65_536, ' ')), 1)
    response.on('close', () => clearInterval(more))
  })
  expect(refusal).toBe('http://127.0.0.1:port does not answer: The answer is longer than 65536 bytes.')
})

test('an answer that is none of a session server enrols nobody', async () => {
  const status = (code: number) => refusalOf((_, response) => response.writeHead(code).end('{}'))
  expect(await status(401)).toBe('The code is unknown, used or too old: ask for another.')
  for (const code of [200, 302, 500])
    expect(await status(code)).toBe(`http://127.0.0.1:port answered with status ${code}, not as a session server does.`)
})

test('a server that breaks off does not answer', async () => {
  expect(await refusalOf(({ socket }) => socket.destroy())).toMatch(/^http:\/\/127\.0\.0\.1:port does not answer: ./)
})
