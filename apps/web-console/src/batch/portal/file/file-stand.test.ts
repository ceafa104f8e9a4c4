import { expect, test } from 'vitest'
import { fileStand } from './file-stand.ts'

const tally = {
  required: 2,
  poolSize: 3,
  approved: 0,
  rejected: 0,
  outstanding: 2,
  quorumReached: false,
  vetoed: false,
}
const own = (decision: string) => ({ decision, reason: null, decidedAt: '2026-01-01T00:00:00Z' })
const waiting = {
  status: 'AwaitingApproval',
  tally,
  isMember: true,
  mayDecide: false,
  ownDecision: null,
  expiresAt: null,
}

test.each([
  ['open', { mayDecide: true }],
  ['waiting', {}],
  ['stranger', { isMember: false }],
  ['approved', { ownDecision: own('approved') }],
  ['rejected', { ownDecision: own('rejected'), tally: { ...tally, vetoed: true }, status: 'Canceled' }],
  ['vetoed', { tally: { ...tally, vetoed: true, quorumReached: true }, status: 'Canceled' }],
  ['released', { tally: { ...tally, quorumReached: true }, status: 'Completed' }],
  ['expired', { status: 'Canceled', expiresAt: '2026-01-01T00:00:00Z' }],
  ['canceled', { status: 'Canceled', expiresAt: '2026-01-03T00:00:00Z' }],
  ['canceled', { status: 'Canceled' }],
  ['ended', { status: null }],
] as const)('a file stands at %s', (stand, over) => {
  expect(fileStand({ ...waiting, ...over }, Date.parse('2026-01-02T00:00:00Z'))).toBe(stand)
})
