import { randomUUID } from 'node:crypto'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import type { SignatureFormat } from '../rules/job.ts'
import type { JobFilter } from '../rules/job-filter.ts'
import { storesOf } from '../test-support/as-new.ts'
import { openBatchStore } from '../test-support/ledger-world.ts'
import { insertMany } from '../test-support/many-jobs.ts'
import { searchJobs } from './job-search.ts'

/** A day with three busy minutes, and days around it with few jobs. */
function manyJobs() {
  const crowded = Array.from(
    { length: 21_000 },
    (_, n) => Date.parse('2026-11-15T08:00:00Z') + Math.floor(n / 7_000) * 60_000 + (n % 50_000),
  )
  const quiet = Array.from({ length: 400 }, (_, n) => Date.parse('2026-11-01T00:00:00Z') + n * 5_000_000)
  return [...crowded, ...quiet].map((at, n) => ({
    id: randomUUID(),
    fileName: `file-${n}.pdf`,
    at: new Date(at).toISOString(),
    status: n % 5 === 0 ? ('Failed' as const) : ('Completed' as const),
    profile: n % 3 === 0 ? 'second' : 'default',
    format: (n % 500 === 0 ? 'Xades' : 'Pades') as SignatureFormat,
  }))
}

type Job = ReturnType<typeof manyJobs>[number]

const day = (text: string): string => `${text}T00:00:00.000Z`

const within = (from: string, to: string) => ({ from: `${from}:00.000Z`, to: `${to}:00.000Z` })

const between =
  (from: string, to: string) =>
  ({ at }: Job): boolean =>
    at >= within(from, to).from && at < within(from, to).to

const cases: readonly (readonly [JobFilter, (job: Job) => boolean])[] = [
  [{}, () => true],
  [{ status: 'Completed' }, ({ status }) => status === 'Completed'],
  [{ profile: 'second' }, ({ profile }) => profile === 'second'],
  [{ profile: 'second', status: 'Failed' }, (job) => job.profile === 'second' && job.status === 'Failed'],
  [{ format: 'Xades' }, ({ format }) => format === 'Xades'],
  [{ from: day('2026-11-14'), to: day('2026-11-17') }, ({ at }) => at >= day('2026-11-14') && at < day('2026-11-17')],
  // Days of a site west of UTC, and of one in the middle of the busy minutes.
  [within('2026-11-14T03:00', '2026-11-17T03:00'), between('2026-11-14T03:00', '2026-11-17T03:00')],
  [within('2026-11-15T08:01', '2026-11-16T08:01'), between('2026-11-15T08:01', '2026-11-16T08:01')],
  [within('2026-11-15T03:00', '2026-11-15T08:02'), between('2026-11-15T03:00', '2026-11-15T08:02')],
  [
    { ...within('2026-11-14T03:00', '2026-11-17T03:00'), format: 'Xades' },
    (job) => job.format === 'Xades' && between('2026-11-14T03:00', '2026-11-17T03:00')(job),
  ],
  [
    { ...within('2026-11-14T03:00', '2026-11-17T03:00'), fileName: '99' },
    (job) => job.fileName.includes('99') && between('2026-11-14T03:00', '2026-11-17T03:00')(job),
  ],
  [{ fileName: '99' }, ({ fileName }) => fileName.includes('99')],
  [{ fileName: '99', status: 'Failed' }, (job) => job.fileName.includes('99') && job.status === 'Failed'],
]

for (const [name, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`the search for jobs on ${name}`, () => {
    test('finds at every depth what a walk over all jobs finds there', async () => {
      const store = await openBatchStore(open)
      const jobs = manyJobs()
      await insertMany(store, jobs)
      const newestFirst = [...jobs].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
      for (const [filter, holds] of cases) {
        const expected = newestFirst.filter(holds).map(({ id }) => id)
        const total = expected.length
        const depths = [0, 1_990, 2_100, 7_150, 20_900, total - 20, total + 50]
        for (const offset of depths.filter((depth) => depth >= 0)) {
          const found = await searchJobs(store.db, filter, { offset, limit: 50 })
          expect(found.total, JSON.stringify(filter)).toBe(total)
          expect(found.ids, `${JSON.stringify(filter)} from ${offset}`).toEqual(expected.slice(offset, offset + 50))
        }
      }
    })
  })
}
