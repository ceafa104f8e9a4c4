import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpClient, readWhole } from './index.ts'
import { served, speaking } from './test-support/servers.ts'

function clientOf(limits: { deadlineMs?: number; maxAnswerBytes?: number } = {}) {
  const client = createHttpClient({ connectTimeoutMs: 5000, deadlineMs: 20_000, maxAnswerBytes: 2 ** 24, ...limits })
  onTestFinished(() => client.close())
  return client
}

const get = (url: string) => ({ method: 'GET', url }) as const
const plenty = { maxBytes: 2 ** 24, deadlineMs: 20_000 }

describe('an answer that arrives', () => {
  test('is handed out with its head, and read at the pace of its reader', async () => {
    const bytes = Buffer.alloc(8_000_000, 'chancela')
    const url = await served((_, response) => response.writeHead(203, { 'x-name': 'file' }).end(bytes))
    const { status, headers, body } = await clientOf().stream(get(url))
    expect([status, headers['x-name']]).toEqual([203, 'file'])
    await wait(50)
    expect(body.readableLength).toBeLessThan(1_000_000)
    expect((await readWhole(body, plenty)).equals(bytes)).toBe(true)
  })

  test('may take a body in pieces along', async () => {
    const url = await served((request, response) => request.pipe(response))
    const pieces = ['one ', 'two'].map((text) => Buffer.from(text))
    const { body } = await clientOf().stream({ method: 'POST', url, body: pieces })
    expect(String(await readWhole(body, plenty))).toBe('one two')
  })

  test('is given up where its head does not come in time', async () => {
    const url = await served(() => {})
    await expect(clientOf({ deadlineMs: 200 }).stream(get(url))).rejects.toMatchObject({
      kind: 'deadline',
      wasSent: true,
    })
  })

  test('may take longer than the deadline, but not be silent for so long', async () => {
    const begun = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'
    const url = await speaking((socket) => {
      socket.write(begun)
      const drop = setInterval(() => socket.write('x'), 100)
      setTimeout(() => clearInterval(drop), 2500)
      socket.once('close', () => clearInterval(drop))
    })
    const { body } = await clientOf({ deadlineMs: 1000 }).stream(get(url))
    const pieces: Buffer[] = []
    body.on('data', (piece) => pieces.push(piece))
    const [problem] = await once(body, 'error')
    expect(problem).toMatchObject({ kind: 'deadline', wasSent: true })
    expect(pieces.length).toBeGreaterThan(10)
  })

  test('without end fails at the limit', async () => {
    const url = await served((_, response) => void Readable.from(endless()).pipe(response))
    const { body } = await clientOf({ maxAnswerBytes: 100_000 }).stream(get(url))
    await expect(readWhole(body, plenty)).rejects.toMatchObject({ kind: 'too-large', status: 200 })
  })

  test('fails where the connection breaks', async () => {
    const url = await speaking((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
    const { body } = await clientOf().stream(get(url))
    await expect(readWhole(body, plenty)).rejects.toMatchObject({ kind: 'lost' })
  })

  test('that its reader leaves ends the connection', async () => {
    let closed: Promise<unknown> | undefined
    const url = await served((_, response) => {
      closed = once(Readable.from(endless()).pipe(response), 'close')
    })
    const { body } = await clientOf().stream(get(url))
    body.destroy()
    await closed
  })
})

describe('a body that is read as a whole', () => {
  test('has its own size', async () => {
    await expect(readWhole(Readable.from(endless()), { ...plenty, maxBytes: 50_000 })).rejects.toMatchObject({
      kind: 'too-large',
      message: 'The answer is longer than 50000 bytes.',
    })
  })

  test('has its own deadline', async () => {
    const trickle = async function* () {
      for (;;) {
        await wait(20)
        yield Buffer.from('x')
      }
    }
    await expect(readWhole(Readable.from(trickle()), { ...plenty, deadlineMs: 200 })).rejects.toMatchObject({
      kind: 'deadline',
    })
  })
})

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(16_384)
}
