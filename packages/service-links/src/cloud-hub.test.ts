import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CloudHub } from './cloud-hub.ts'

/** A client of a hub that answers with this listener. */
async function hubOf(listener: RequestListener, timeoutMs = 20_000): Promise<CloudHub> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hub = new CloudHub({ endpoint: `http://127.0.0.1:${port}/`, apiKey: 'key', timeoutMs })
  onTestFinished(async () => {
    await hub.close()
    server.closeAllConnections()
    server.close()
  })
  return hub
}

describe('a hub', () => {
  test('is asked with the key, and answers JSON', async () => {
    const hub = await hubOf(({ headers }, response) => response.end(JSON.stringify(headers['x-api-key'])))
    expect(await hub.customState('session')).toBe('key')
  })

  test('that refuses is told of by its code, whatever form the refusal has', async () => {
    const object = await hubOf((_, response) => response.writeHead(422).end('{"code":"SessionNotFound"}'))
    await expect(object.customState('session')).rejects.toMatchObject({ code: 'SessionNotFound' })
    const text = await hubOf((_, response) => response.writeHead(500).end('"Failed"'))
    await expect(text.customState('session')).rejects.toMatchObject({ code: 'Failed' })
  })

  test('that never answers is given up', async () => {
    const hub = await hubOf(() => {}, 200)
    await expect(hub.customState('session')).rejects.toMatchObject({ code: 'timed-out' })
  })

  test('that trickles is given up', async () => {
    const hub = await hubOf((_, response) => {
      const drop = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drop))
    }, 300)
    await expect(hub.customState('session')).rejects.toMatchObject({ code: 'timed-out' })
  })

  test('that sends without end is cut off long before its time is over', async () => {
    const hub = await hubOf((_, response) => {
      const more = setInterval(() => response.write(Buffer.alloc(65_536, ' ')), 1)
      response.on('close', () => clearInterval(more))
    }, 10_000)
    await expect(hub.customState('session')).rejects.toMatchObject({ code: 'not-understood' })
  })

  test('that sends elsewhere is not followed: the key would go along', async () => {
    let stolen = 0
    const hub = await hubOf(({ url }, response) => {
      if (url === '/elsewhere') stolen += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await expect(hub.customState('session')).rejects.toMatchObject({ code: 'unreachable' })
    expect(stolen).toBe(0)
  })

  test('that is not there cannot be reached', async () => {
    const hub = new CloudHub({ endpoint: 'http://127.0.0.1:1', apiKey: 'key', timeoutMs: 20_000 })
    await expect(hub.customState('session')).rejects.toMatchObject({ code: 'unreachable' })
  })
})
