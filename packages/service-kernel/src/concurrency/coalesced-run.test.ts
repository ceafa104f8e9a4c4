import { expect, test } from 'vitest'
import { CoalescedRun } from './coalesced-run.ts'

/** Work that ends on command, and counts how often it began. */
function stepwise() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const work = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
  return { ends, work }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 1))

test('all who ask while it runs share the next run, and nobody is served by one that began before', async () => {
  const { ends, work } = stepwise()
  const run = new CoalescedRun(work)
  const served: string[] = []
  const first = run.request().then(() => served.push('first'))
  await settled()
  const later = ['second', 'third'].map((name) => run.request().then(() => served.push(name)))
  await settled()
  expect(ends.length).toBe(1)
  ends[0]!.resolve()
  await first
  await settled()
  expect([served, ends.length]).toEqual([['first'], 2])
  ends[1]!.resolve()
  await Promise.all(later)
  expect([served, ends.length]).toEqual([['first', 'second', 'third'], 2])
})

test('a failure is told to those who waited for it; the next is a try of its own', async () => {
  const { ends, work } = stepwise()
  const run = new CoalescedRun(work)
  const failing = [run.request(), run.request()]
  await settled()
  const next = run.request()
  ends[0]!.reject(new Error('full'))
  for (const one of failing) await expect(one).rejects.toThrow('full')
  await settled()
  ends[1]!.resolve()
  await next
})

test('it is idle when the last that was asked for has ended, however it did', async () => {
  const { ends, work } = stepwise()
  const run = new CoalescedRun(work)
  await run.idle()
  const first = run.request()
  await settled()
  const last = run.request()
  const seen: string[] = []
  const idle = run.idle().then(() => seen.push('idle'))
  ends[0]!.resolve()
  await first
  await settled()
  expect(seen).toEqual([])
  ends[1]!.reject(new Error('full'))
  await expect(last).rejects.toThrow('full')
  await idle
})

test('one that gathers takes along whoever asks in the same turn of the loop', async () => {
  let runs = 0
  const run = new CoalescedRun(
    async () => {
      runs += 1
    },
    { gathers: true },
  )
  const late = Promise.resolve()
    .then(() => {})
    .then(() => run.request())
  await Promise.all([run.request(), late])
  expect(runs).toBe(1)
})
