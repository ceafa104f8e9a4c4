import { expect, it } from 'vitest'
import { proveApprovals } from '../src/workers/test-support/prove-approvals/prove-approvals.ts'

// The short form of `npm run prove:approvals`: two processes on PostgreSQL, a few kills.
it('approved bytes are the signed bytes, a veto wins, one decision per person, and nothing is lost', {
  timeout: 600_000,
}, async () => {
  const { worlds } = await proveApprovals({ kills: 4, files: 30, seed: 20, kinds: ['postgresql'] })
  for (const { broken, taken, history } of worlds) {
    expect(broken).toEqual([])
    expect(taken).toBeGreaterThan(0)
    expect(history.files.some(({ signed }) => signed.length > 0)).toBe(true)
  }
})
