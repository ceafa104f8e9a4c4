import { expect, test } from 'vitest'
import { passwordFault } from './new-password.ts'

test.each([
  ['', '', 'password'],
  ['nove car.', 'nove car.', 'password'],
  ['uma senha comprida', 'uma senha comprid', 'again'],
  ['uma senha comprida', '', 'again'],
  ['dez carac.', 'dez carac.', undefined],
])('%j repeated as %j has its fault at %s', (password, again, fault) => {
  expect(passwordFault(password, again)).toBe(fault)
})
