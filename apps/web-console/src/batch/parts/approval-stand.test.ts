import { expect, test } from 'vitest'
import { standOf } from './approval-stand.ts'

test.each([
  ['needed', { vetoed: false, quorumReached: false }, 'AwaitingApproval'],
  ['met', { vetoed: false, quorumReached: true }, 'Completed'],
  ['rejected', { vetoed: true, quorumReached: true }, 'Failed'],
  ['rejected', { vetoed: true, quorumReached: false }, 'Canceled'],
  ['ended', { vetoed: false, quorumReached: false }, 'Canceled'],
] as const)('the stand is %s', (stand, approval, status) => {
  expect(standOf(approval, status)).toBe(stand)
})
