import { expect, test } from 'vitest'
import { keyState } from './key-state.ts'

const noon = '2026-05-01T12:00:00.000Z'
const at = Date.parse(noon)

test('a key without an end is valid until it is revoked', () => {
  expect(keyState({ revocationDate: null, expirationDate: null }, at)).toBe('valid')
  expect(keyState({ revocationDate: noon, expirationDate: null }, at)).toBe('revoked')
})

test('a key has expired from the moment it says on', () => {
  expect(keyState({ revocationDate: null, expirationDate: noon }, at - 1)).toBe('valid')
  expect(keyState({ revocationDate: null, expirationDate: noon }, at)).toBe('expired')
})

test('a key that was revoked and then expired counts as revoked', () => {
  expect(keyState({ revocationDate: noon, expirationDate: noon }, at)).toBe('revoked')
})
