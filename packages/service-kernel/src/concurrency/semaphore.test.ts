import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('so many are in at once, and the others come in the order they asked', async () => {
  const semaphore = new Semaphore(2)
  const order: number[] = []
  const ends: (() => void)[] = []
  const users = [0, 1, 2, 3, 4].map(async (number) => {
    const release = await semaphore.take()
    order.push(number)
    await new Promise<void>((end) => ends.push(end))
    release()
    // Releasing twice frees one slot.
    release()
  })
  for (let ended = 0; ended < users.length; ended += 1) {
    await expect.poll(() => order.length).toBe(Math.min(ended + 2, users.length))
    ends[ended]!()
  }
  await Promise.all(users)
  expect(order).toEqual([0, 1, 2, 3, 4])
})

test('whoever gives up waiting does not take the slot of those behind', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.take()
  const leaving = new AbortController()
  const first = semaphore.take(leaving.signal)
  const second = semaphore.take()
  leaving.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  release()
  await expect(second).resolves.toBeTypeOf('function')
  await expect(semaphore.take(leaving.signal)).rejects.toThrow('gone')
})

test('whoever waited listens to its signal no more', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.take()
  const leaving = new AbortController()
  const waiting = semaphore.take(leaving.signal)
  release()
  const releaseAgain = await waiting
  leaving.abort()
  releaseAgain()
  await expect(semaphore.take()).resolves.toBeTypeOf('function')
})

test('all who wait can be sent away, and whoever is in stays', async () => {
  const semaphore = new Semaphore(1)
  await semaphore.acquire()
  const waiting = [semaphore.acquire(), semaphore.acquire(new AbortController().signal)]
  expect(semaphore.waiting).toBe(2)
  semaphore.refuseWaiting(new Error('too long'))
  for (const refused of waiting) await expect(refused).rejects.toThrow('too long')
  expect(semaphore.waiting).toBe(0)
  const next = semaphore.acquire()
  expect(semaphore.waiting).toBe(1)
  semaphore.release()
  await next
})
