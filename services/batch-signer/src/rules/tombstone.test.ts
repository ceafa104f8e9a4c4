import { expect, test } from 'vitest'
import { isJudged } from './tombstone.ts'

const identity = '1:20:300:4000'

test.each([
  ['the file itself', { identity, sha256: null }, identity, 'same'],
  ['the file itself, on a device that has another number now', { identity, sha256: null }, '7:20:300:4000', 'same'],
  ['whatever lies there, when nobody recorded which file it was', { identity: null, sha256: null }, identity, 'same'],
  ['a file of another length', { identity, sha256: 'ab' }, '1:20:301:4000', 'other'],
  [
    'a file of the same length with another time, its content unknown',
    { identity, sha256: null },
    '1:20:300:5000',
    'other',
  ],
  ['a file of the same length with another time', { identity, sha256: 'ab' }, '1:20:300:5000', 'unsure'],
  ['a held file that was touched', { identity, sha256: null, isHeld: true }, '1:20:300:5000', 'same'],
  ['a file of the same length and time under another inode', { identity, sha256: 'ab' }, '1:21:300:4000', 'unsure'],
] as const)('a verdict is about %s: %o, %s: %s', (_what, judged, found, verdict) => {
  expect(isJudged(judged, found)).toBe(verdict)
})
