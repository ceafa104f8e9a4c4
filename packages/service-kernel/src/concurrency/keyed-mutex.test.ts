import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

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
  const all = ['one', 'two', 'three'].map((name) => mutex.run('a', work(name)))
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
})

test('another key does not wait', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  const first = mutex.run('a', () => opened)
  expect(await mutex.run('b', async () => 'done')).toBe('done')
  open()
  await first
})

test('whoever gives up waiting lets nobody pass the one that runs', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  const order: string[] = []
  const first = mutex.run('a', async () => {
    await opened
    order.push('first')
  })
  const leaving = new AbortController()
  const second = mutex.run('a', async () => order.push('second'), leaving.signal)
  const third = mutex.run('a', async () => order.push('third'))
  leaving.abort()
  await expect(second).rejects.toThrow()
  expect(order).toEqual([])
  open()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})

test('whoever has given up before it asked does not run, and nobody is left behind', async () => {
  const mutex = new KeyedMutex()
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(mutex.run('a', async () => 'never', gone)).rejects.toThrow('gone')
  expect(mutex.isHeld('a')).toBe(false)
})

test('a key is held from the call on, until the last of it has ended', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  expect([mutex.isHeld('a'), mutex.inside('a')]).toEqual([false, 0])
  const first = mutex.run('a', () => opened)
  const second = mutex.run('a', () => Promise.reject(new Error('fails')))
  expect([mutex.isHeld('a'), mutex.inside('a'), mutex.isHeld('b')]).toEqual([true, 2, false])
  open()
  await first
  await expect(second).rejects.toThrow('fails')
  expect([mutex.isHeld('a'), mutex.inside('a')]).toEqual([false, 0])
})

test('waiting for a key lasts until those before have ended, however they do, and says whether there were any', async () => {
  const mutex = new KeyedMutex()
  const { open, opened } = gate()
  expect(await mutex.wait('a')).toBe(false)
  const running = mutex.run('a', () => opened.then(() => Promise.reject(new Error('fails'))))
  let isOver = false
  const waiting = [mutex.wait('a'), mutex.wait('a')]
  void waiting[0]!.then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  open()
  await expect(running).rejects.toThrow('fails')
  expect(await Promise.all(waiting)).toEqual([true, true])
  expect(mutex.isHeld('a')).toBe(false)
})
