import { expect, it } from 'vitest'
import { Convoy } from './convoy.ts'

it('makes nobody wait while few jobs are in flight', async () => {
  const convoy = new Convoy(() => 2)
  let gone = false
  void convoy.meet().then(() => {
    gone = true
  })
  await Promise.resolve()
  expect(gone).toBe(true)
})

it('lets half of the jobs in flight go together, and whoever waits for company that does not come', async () => {
  const convoy = new Convoy(() => 8)
  const gone: number[] = []
  const meetings = [1, 2, 3].map((one) => convoy.meet().then(() => gone.push(one)))
  await Promise.resolve()
  expect(gone).toEqual([])
  meetings.push(convoy.meet().then(() => gone.push(4)))
  await Promise.all(meetings)
  expect(gone).toEqual([1, 2, 3, 4])
  await convoy.meet()
})
