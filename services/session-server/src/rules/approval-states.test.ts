import { expect, test } from 'vitest'
import { isOpenState, stateAfter } from './approval-states.ts'

test('an approval goes from waiting over the holder’s approval to its one signature', () => {
  expect(stateAfter('WAITING', 'approve')).toBe('READY')
  expect(stateAfter('READY', 'begin')).toBe('SIGNING')
  expect(stateAfter('SIGNING', 'sign')).toBe('SIGNED')
})

test('nothing is signed that nobody approved, nor twice', () => {
  expect(stateAfter('WAITING', 'begin')).toBeUndefined()
  expect(stateAfter('SIGNING', 'begin')).toBeUndefined()
  expect(stateAfter('SIGNED', 'begin')).toBeUndefined()
})

test('only who waits is declined; what is being signed is neither canceled nor expired, but may fail', () => {
  expect(stateAfter('WAITING', 'decline')).toBe('DECLINED')
  expect(stateAfter('READY', 'decline')).toBeUndefined()
  for (const state of ['WAITING', 'READY'] as const) {
    expect(stateAfter(state, 'cancel')).toBe('CANCELED')
    expect(stateAfter(state, 'expire')).toBe('EXPIRED')
  }
  for (const move of ['cancel', 'expire'] as const) expect(stateAfter('SIGNING', move)).toBeUndefined()
  for (const state of ['WAITING', 'READY', 'SIGNING'] as const) expect(stateAfter(state, 'fail')).toBe('FAILED')
})

test('an end is an end', () => {
  const open = ['WAITING', 'READY', 'SIGNING'] as const
  const ends = ['SIGNED', 'DECLINED', 'EXPIRED', 'CANCELED', 'FAILED'] as const
  expect(open.every(isOpenState)).toBe(true)
  expect(ends.some(isOpenState)).toBe(false)
})
