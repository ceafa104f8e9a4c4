import { expect, it } from 'vitest'
import { CommitRendezvous } from './commit-rendezvous.ts'

it('makes nobody wait while few jobs are in flight', async () => {
  const rendezvous = new CommitRendezvous(() => 2)
  let gone = false
  void rendezvous.meet().then(() => {
    gone = true
  })
  await Promise.resolve()
  expect(gone).toBe(true)
})

it('lets half of the jobs in flight go together, and whoever waits for company that does not come', async () => {
  const rendezvous = new CommitRendezvous(() => 8)
  const gone: number[] = []
  const meetings = [1, 2, 3].map((one) => rendezvous.meet().then(() => gone.push(one)))
  await Promise.resolve()
  expect(gone).toEqual([])
  meetings.push(rendezvous.meet().then(() => gone.push(4)))
  await Promise.all(meetings)
  expect(gone).toEqual([1, 2, 3, 4])
  await rendezvous.meet()
})
