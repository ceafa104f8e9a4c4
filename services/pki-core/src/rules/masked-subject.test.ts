import { expect, test } from 'vitest'
import { maskedSubject } from './masked-subject.ts'

test.each([
  ['52998224725', '***.982.247-**'],
  ['529.982.247-25', '***.982.247-**'],
  ['maria@example.com', 'ma***'],
  ['matrícula 7', 'ma***'],
  ['ana', '***'],
  ['😀😀😀😀😀😀😀', '😀😀***'],
  [null, null],
])('of %s others see %s', (identifier, seen) => {
  expect(maskedSubject(identifier)).toBe(seen)
})
