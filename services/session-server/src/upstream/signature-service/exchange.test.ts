import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Exchange } from './exchange.ts'

/** An exchange with a service that answers with this listener. */
async function exchangeWith(listener: RequestListener, timeoutMs = 10_000): Promise<Exchange> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const exchange = new Exchange({ endpoint: `http://127.0.0.1:${port}/base/`, apiKey: 'key', timeoutMs })
  onTestFinished(async () => {
    await exchange.close()
    server.closeAllConnections()
    server.close()
  })
  return exchange
}

const ask = { method: 'GET', path: '/asked' } as const

function endless(response: ServerResponse): void {
  const more = setInterval(() => response.write(Buffer.alloc(262_144, ' ')), 1)
  response.on('close', () => clearInterval(more))
}

function trickling(response: ServerResponse): void {
  const drop = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(drop))
}

describe('the signature service', () => {
  test('is asked with the key under its base, and answers JSON', async () => {
    const exchange = await exchangeWith(({ url, headers }, response) =>
      response.end(JSON.stringify([url, headers['x-api-key']])),
    )
    expect(await exchange.json(ask)).toEqual(['/base/asked', 'key'])
  })

  test('that never answers, or trickles, may have done what it was asked', async () => {
    for (const listener of [() => {}, (_: unknown, response: ServerResponse) => trickling(response)]) {
      const exchange = await exchangeWith(listener, 300)
      await expect(exchange.json(ask)).rejects.toMatchObject({ kind: 'uncertain', message: 'No answer came in time.' })
    }
  })

  test('that is not there did nothing', async () => {
    const exchange = new Exchange({ endpoint: 'http://127.0.0.1:1', apiKey: 'key', timeoutMs: 10_000 })
    await expect(exchange.json(ask)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('that sends without end is cut off long before its time is over', async () => {
    const exchange = await exchangeWith((_, response) => endless(response), 5000)
    await expect(exchange.json(ask)).rejects.toMatchObject({ message: expect.stringMatching(/longer than \d+ bytes/) })
  })

  test('whose refusal of a file trickles is given up', async () => {
    const exchange = await exchangeWith((_, response) => trickling(response.writeHead(500)), 500)
    await expect(exchange.bytes(ask)).rejects.toMatchObject({ kind: 'uncertain' })
  })

  test('whose refusal of a file has no end is cut off', async () => {
    const exchange = await exchangeWith((_, response) => endless(response.writeHead(500)), 5000)
    await expect(exchange.bytes(ask)).rejects.toMatchObject({ message: expect.stringMatching(/longer than \d+ bytes/) })
  })

  test('hands out a file as it arrives, with the length it says', async () => {
    const exchange = await exchangeWith((_, response) => response.setHeader('content-length', 5).end('bytes'))
    const { body, length } = await exchange.bytes(ask)
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece)
    expect([length, String(Buffer.concat(pieces))]).toEqual([5, 'bytes'])
  })

  test('is asked once more where a kept connection was closed, if that is harmless', async () => {
    let asked = 0
    const listener: RequestListener = ({ socket }, response) => {
      asked += 1
      if (asked % 2 === 1) socket.destroy()
      else response.end('"well"')
    }
    const exchange = await exchangeWith(listener)
    expect(await exchange.json({ ...ask, isHarmless: true })).toBe('well')
    await expect(exchange.json(ask)).rejects.toMatchObject({ kind: 'uncertain' })
  })
})
