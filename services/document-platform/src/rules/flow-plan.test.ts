import { expect, test } from 'vitest'
import { isEmail } from './flow-plan.ts'

test.each(['ana@example.com', 'a.b+c@x'])('%s can be written to', (address) => expect(isEmail(address)).toBe(true))

test.each([
  'ana',
  '@example.com',
  'ana@',
  'ana@example.com, bruno@example.com',
  'ana@example.com\r\nBcc: all@example.com',
  'Ana <ana@example.com>',
  'ana@b@example.com',
  `${'a'.repeat(65)}@example.com`,
])('%j cannot', (address) => expect(isEmail(address)).toBe(false))
