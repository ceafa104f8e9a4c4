import { expect, test } from 'vitest'
import { groupedCode, readCode } from './document-code.ts'

test('a code is read in any case, with hyphens or spaces', () => {
  expect(readCode(' abcd-efgh jklm-npqr-stuv ')).toBe('ABCDEFGHJKLMNPQRSTUV')
})

test('a code is shown in groups of four', () => {
  expect(groupedCode('ABCDEFGHJKLMNPQRSTUV')).toBe('ABCD-EFGH-JKLM-NPQR-STUV')
  expect(readCode(groupedCode('ABCDEFGHJKLMNPQRSTUV'))).toBe('ABCDEFGHJKLMNPQRSTUV')
})
