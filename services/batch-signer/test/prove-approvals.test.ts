import { expect, it } from 'vitest'
import { proveApprovals } from '../src/workers/test-support/prove-approvals/prove-approvals.ts'

// The short form of `npm run prove:approvals`: two processes on PostgreSQL, and one on SQLite with codes; a few kills.
it.each([
  ['postgresql', 4, 30],
  ['sqlite, codes', 2, 16],
] as const)(
  'approved bytes are the signed bytes, a veto wins, one decision per person, and nothing is lost: %s',
  {
    timeout: 600_000,
  },
  async (kind, kills, files) => {
    const { worlds } = await proveApprovals({ kills, files, seed: 20, kinds: [kind] })
    for (const { broken, taken, history } of worlds) {
      expect(broken).toEqual([])
      expect(taken).toBeGreaterThan(0)
      expect(history.files.some(({ signed }) => signed.length > 0)).toBe(true)
      expect(history.jobs.some(({ recorded }) => recorded.some(({ thumbprint }) => thumbprint !== null))).toBe(true)
    }
  },
)
