import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

const never = new AbortController().signal

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

test('work of one key runs one after the other in the order it came, whatever fails', async () => {
  const mutex = new KeyedMutex()
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} ends`)
    if (name === 'one') throw new Error('fails')
  }
  const all = ['one', 'two', 'three'].map((name) => mutex.run('a', never, work(name)))
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
})

test('another key does not wait', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  const first = mutex.run('a', never, () => opened)
  expect(await mutex.run('b', never, async () => 'done')).toBe('done')
  open()
  await first
})

test('whoever gives up waiting lets nobody pass the one that runs', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  const order: string[] = []
  const first = mutex.run('a', never, async () => {
    await opened
    order.push('first')
  })
  const leaving = new AbortController()
  const second = mutex.run('a', leaving.signal, async () => order.push('second'))
  const third = mutex.run('a', never, async () => order.push('third'))
  leaving.abort()
  await expect(second).rejects.toThrow()
  expect(order).toEqual([])
  open()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})
