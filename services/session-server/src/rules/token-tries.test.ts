import { expect, test } from 'vitest'
import { allowedTry } from './token-tries.ts'

const all = { present: true, countLow: true }
const careful = { present: true, countLow: false }
const none = { present: false, countLow: false }

test.each([
  ['client', { tries: 0, isAccepted: false, refused: 'none' }, careful],
  ['client', { tries: 1, isAccepted: false, refused: 'another' }, careful],
  ['client', { tries: 2, isAccepted: false, refused: 'another' }, none],
  ['client', { tries: 2, isAccepted: false, refused: 'this' }, none],
  ['client', { tries: 2, isAccepted: true, refused: 'another' }, all],
  ['settings', { tries: 0, isAccepted: false, refused: 'none' }, careful],
  ['settings', { tries: 2, isAccepted: false, refused: 'this' }, none],
  ['settings', { tries: 2, isAccepted: false, refused: 'another' }, all],
  ['administrator', { tries: 2, isAccepted: false, refused: 'this' }, all],
] as const)('the PIN of the %s, of which is remembered %o, is allowed %o', (source, remembered, allowed) => {
  expect(allowedTry(source, remembered)).toEqual(allowed)
})
