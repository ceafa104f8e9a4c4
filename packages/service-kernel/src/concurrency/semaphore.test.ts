import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

const nobody = new AbortController().signal

test('so many are in at once, and the others come in the order they asked', async () => {
  const semaphore = new Semaphore(2)
  const order: number[] = []
  const ends: (() => void)[] = []
  const users = [0, 1, 2, 3, 4].map(async (number) => {
    const release = await semaphore.take(nobody)
    order.push(number)
    await new Promise<void>((end) => ends.push(end))
    release()
    // Giving back twice gives one slot.
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
  const release = await semaphore.take(nobody)
  const leaving = new AbortController()
  const first = semaphore.take(leaving.signal)
  const second = semaphore.take(nobody)
  leaving.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  release()
  await expect(second).resolves.toBeTypeOf('function')
  await expect(semaphore.take(leaving.signal)).rejects.toThrow('gone')
})
