import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

const nobody = new AbortController().signal

test('so many are in at once, and the others come in the order they asked', async () => {
  const slots = new Slots(2)
  const order: number[] = []
  const ends: (() => void)[] = []
  const users = [0, 1, 2, 3, 4].map(async (number) => {
    const release = await slots.take(nobody)
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
  const slots = new Slots(1)
  const release = await slots.take(nobody)
  const leaving = new AbortController()
  const first = slots.take(leaving.signal)
  const second = slots.take(nobody)
  leaving.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  release()
  await expect(second).resolves.toBeTypeOf('function')
  await expect(slots.take(leaving.signal)).rejects.toThrow('gone')
})
