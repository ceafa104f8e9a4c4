import type { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startThread } from '../../concurrency/index.ts'
import { HashLine } from './hash-line.ts'

const full = { kind: 'line-full', headers: { 'retry-after': '5' } }
const cost = { N: 1024, r: 8, p: 3 }

/** A line with one thread at a time, and how its passwords fared, in the order in which they were known. */
function openLine(mostWaiting: number) {
  const threads: Worker[] = []
  const line = new HashLine({ threads: 1, mostWaiting }, () => {
    const thread = startThread(import.meta.url, './hash-thread', {})
    threads.push(thread)
    return thread
  })
  onTestFinished(async () => void (await Promise.all(threads.map((thread) => thread.terminate()))))
  const fared: string[] = []
  const send = async (password: string): Promise<Buffer> => {
    const salt = Buffer.alloc(16)
    try {
      const hash = await line.hash({ password, salt, bytes: 32, cost }, password[0]!)
      fared.push(password)
      return hash
    } catch (error) {
      fared.push(`no ${password}`)
      throw error
    }
  }
  const sendAll = (...passwords: readonly string[]) => Promise.allSettled(passwords.map(send))
  return { line, threads, fared, send, sendAll }
}

describe('the line of those who wait for a hash', () => {
  test('clients take turns', async () => {
    const { fared, sendAll } = openLine(10)
    await sendAll('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2')
    expect(fared).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4'])
  })

  test('who finds it full is turned away, and may come back', async () => {
    const { fared, send, sendAll } = openLine(2)
    const waiting = sendAll('a1', 'a2', 'a3')
    await expect(send('a4')).rejects.toMatchObject(full)
    await waiting
    await send('a5')
    expect(fared).toEqual(['no a4', 'a1', 'a2', 'a3', 'a5'])
  })

  test('a client that fills it gives way to others', async () => {
    const { fared, sendAll } = openLine(4)
    await sendAll('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3')
    expect(fared).toEqual(['no a5', 'no a4', 'no b3', 'a1', 'a2', 'b1', 'a3', 'b2'])
  })

  test('a thread that ends is replaced, whether it works or rests', async () => {
    const { threads, send } = openLine(4)
    const interrupted = send('a1')
    const next = send('a2')
    await threads[0]!.terminate()
    await expect(interrupted).rejects.toThrow()
    const hash = await next
    await threads[1]!.terminate()
    expect(await send('a2')).toEqual(hash)
    expect(threads).toHaveLength(3)
  })

  test('at a stop nobody waits any longer', async () => {
    const { line, fared, sendAll } = openLine(4)
    const sent = sendAll('a1', 'a2', 'b1')
    line.turnAway()
    const [running, ...turnedAway] = await sent
    expect(running).toMatchObject({ status: 'fulfilled' })
    expect(turnedAway).toMatchObject([{ reason: full }, { reason: full }])
    expect(fared).toEqual(['no a2', 'no b1', 'a1'])
  })
})
