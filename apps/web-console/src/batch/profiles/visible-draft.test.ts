import { expect, test } from 'vitest'
import { boxOf, corners, newVisible, pageOf, sampleLine } from './visible-draft.ts'

test('the box stands in its corner of an A4 page', () => {
  const places = corners.map((corner) => {
    const { x, y } = boxOf({ ...newVisible, corner })
    return [corner, x, y]
  })
  expect(places).toEqual([
    ['bottom-right', 359, 746],
    ['bottom-left', 36, 746],
    ['top-right', 359, 36],
    ['top-left', 36, 36],
  ])
})

test('a page is a word or a number from 1', () => {
  expect(['first', 'last', '3', '0', 'x', '2.7'].map(pageOf)).toEqual(['first', 'last', 3, 1, 1, 2])
})

test('fields of a line are filled in, and unknown ones are left as they are', () => {
  expect(sampleLine('{name}: {reason} {colour}', { reason: 'Folha' })).toBe('Maria de Souza: Folha {colour}')
})
