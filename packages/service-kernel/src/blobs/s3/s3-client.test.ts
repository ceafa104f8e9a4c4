import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock/index.ts'
import { passingTrouble } from '../../errors/index.ts'
import { s3Account } from '../test-support/start-s3.ts'
import { S3Client } from './s3-client.ts'

/** A client of a store that answers with this listener. */
async function clientOf(listener: RequestListener): Promise<S3Client> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new S3Client({ ...s3Account, endpoint, clock: systemClock, answerMs: 1000, readingMs: 300 })
  onTestFinished(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return client
}

function endless(response: ServerResponse): void {
  const more = setInterval(() => response.write(Buffer.alloc(262_144, 'x')), 1)
  response.on('close', () => clearInterval(more))
}

function trickling(response: ServerResponse): void {
  const drop = setInterval(() => response.write('x'), 10)
  response.on('close', () => clearInterval(drop))
}

describe('a store', () => {
  test('whose list has no end is cut off', async () => {
    const client = await clientOf((_, response) => endless(response))
    await expect(client.text({ method: 'GET' })).rejects.toThrow(/longer than \d+ bytes/)
  })

  test('whose list trickles is given up', async () => {
    const client = await clientOf((_, response) => trickling(response))
    await expect(client.text({ method: 'GET' })).rejects.toMatchObject({ kind: 'deadline' })
  })

  test.each([
    ['has no end', endless],
    ['trickles', trickling],
  ])('whose refusal %s refused all the same, once', async (_, write) => {
    let calls = 0
    const client = await clientOf((_request, response) => {
      calls += 1
      write(response.writeHead(403))
    })
    await expect(client.text({ method: 'GET' })).rejects.toMatchObject({ name: 'S3Problem', status: 403 })
    expect(calls).toBe(1)
  })

  test('that falls silent in the middle of a blob fails whoever reads it, and nobody else', async () => {
    const client = await clientOf((_, response) => void response.write('half'))
    const answer = await client.call({ method: 'GET', key: 'blob' })
    await expect(text(answer)).rejects.toThrow('aborted')
  })

  test('that never answers is asked again, and then given up', async () => {
    let calls = 0
    const client = await clientOf(() => {
      calls += 1
    })
    await expect(client.text({ method: 'GET' })).rejects.toThrow('The blob store does not answer.')
    expect(calls).toBe(4)
  })

  test.each<[string, RequestListener]>([
    ['resets the connection', (request) => request.socket.resetAndDestroy()],
    ['fails', (_, response) => void response.writeHead(503).end()],
    ['refuses the key', (_, response) => void response.writeHead(403).end()],
    ['breaks off its answer', (_, response) => void response.write('half', () => response.destroy())],
  ])('that %s is a trouble that passes, and no bug of the service', async (_, listener) => {
    const client = await clientOf(listener)
    const error: unknown = await client.text({ method: 'GET' }).catch((thrown: unknown) => thrown)
    expect(passingTrouble(error)).toBe('storage-unreachable')
  })
})
