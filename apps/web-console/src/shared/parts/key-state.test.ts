import { expect, test } from 'vitest'
import { keyState } from './key-state.ts'

const noon = '2026-05-01T12:00:00.000Z'
const at = Date.parse(noon)

test('a key without an end is valid until it is revoked', () => {
  expect(keyState({ revokedAt: null, expiresAt: null }, at)).toBe('valid')
  expect(keyState({ revokedAt: noon, expiresAt: null }, at)).toBe('revoked')
})

test('a key has expired from the moment it says on', () => {
  expect(keyState({ revokedAt: null, expiresAt: noon }, at - 1)).toBe('valid')
  expect(keyState({ revokedAt: null, expiresAt: noon }, at)).toBe('expired')
})

test('a key that was revoked and then expired counts as revoked', () => {
  expect(keyState({ revokedAt: noon, expiresAt: noon }, at)).toBe('revoked')
})
