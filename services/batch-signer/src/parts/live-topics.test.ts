import { describe, expect, test } from 'vitest'
import { LiveTopics, type LiveUpdate } from './live-topics.ts'

const listening = (live: LiveTopics): LiveUpdate[] => {
  const updates: LiveUpdate[] = []
  live.listen((update) => updates.push(update))
  return updates
}

describe('live topics', () => {
  test('the first change is told at once, what follows within the interval in one update at its end', async () => {
    const live = new LiveTopics({ intervalMs: 20 })
    const updates = listening(live)
    live.announce('pipeline')
    expect(updates).toHaveLength(1)
    for (let n = 0; n < 1_000; n += 1) live.announce(n % 2 ? 'folders' : 'profiles')
    live.announceJobs([{ id: 'a', status: 'Queued' }])
    live.announceJobs([
      { id: 'b', status: 'Queued' },
      { id: 'a', status: 'Processing' },
    ])
    expect(updates).toHaveLength(1)
    await expect.poll(() => updates.length).toBe(2)
    expect([...updates[1]!.topics].sort()).toEqual(['folders', 'jobs', 'profiles'])
    expect(updates[1]!.jobs).toEqual([
      { id: 'b', status: 'Queued' },
      { id: 'a', status: 'Processing' },
    ])
    live.close()
  })

  test('an update holds the newest changes and no more than a list shows', () => {
    const live = new LiveTopics({ mostJobs: 2 })
    const updates = listening(live)
    live.announceJobs(['a', 'b', 'c'].map((id) => ({ id, status: 'Queued' })))
    expect(updates[0]!.jobs.map(({ id }) => id)).toEqual(['b', 'c'])
    live.close()
  })

  test('who stopped listening hears nothing more', () => {
    const live = new LiveTopics()
    const updates: LiveUpdate[] = []
    const stop = live.listen((update) => updates.push(update))
    stop()
    live.announce('backup')
    expect(updates).toEqual([])
  })
})
