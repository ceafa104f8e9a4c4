import { expect, test } from 'vitest'
import { flowDocuments } from '../api/types.ts'
import { raised, usualSteps } from './flow-draft.ts'

test.each(flowDocuments)('the usual steps of %s end with the institution, which signs the whole as AD-RA', (kind) => {
  expect(usualSteps(kind).at(-1)).toMatchObject({ node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA' })
})

test('a step moves before the one above it, and the first stays', () => {
  expect(raised(['a', 'b', 'c'], 2)).toEqual(['a', 'c', 'b'])
  expect(raised(['a', 'b', 'c'], 0)).toEqual(['a', 'b', 'c'])
})
