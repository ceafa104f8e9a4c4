import { expect, test } from 'vitest'
import { moved, type PlacedMark, placeNew, resized } from './mark-geometry.ts'

const a4 = { width: 595, height: 842 }

test('new marks stand at the foot of the page, beside and above each other, none over another', () => {
  const marks: PlacedMark[] = []
  for (const id of ['a', 'b', 'c', 'd']) marks.push(placeNew(id, 1, a4, marks))
  const overlap = (one: PlacedMark, other: PlacedMark) =>
    one.topLeftX < other.topLeftX + other.width &&
    other.topLeftX < one.topLeftX + one.width &&
    one.topLeftY < other.topLeftY + other.height &&
    other.topLeftY < one.topLeftY + one.height
  for (const one of marks) for (const other of marks) if (one !== other) expect(overlap(one, other)).toBe(false)
  expect(marks[0]!.topLeftY + marks[0]!.height).toBeLessThan(a4.height)
})

test('a mark never leaves its page, whatever moves it', () => {
  const mark = placeNew('a', 1, a4, [])
  expect(moved(mark, -9999, -9999, a4)).toMatchObject({ topLeftX: 0, topLeftY: 0 })
  const far = moved(mark, 9999, 9999, a4)
  expect([far.topLeftX + far.width, far.topLeftY + far.height]).toEqual([a4.width, a4.height])
})

test('a mark grows to the edge of the page and stays large enough to be read', () => {
  const mark = moved(placeNew('a', 1, a4, []), -9999, -9999, a4)
  expect(resized(mark, 9999, 9999, a4)).toMatchObject(a4)
  expect(resized(mark, -9999, -9999, a4)).toMatchObject({ width: 60, height: 24 })
})

test('a page smaller than a mark holds one of its own size', () => {
  const label = { width: 100, height: 40 }
  expect(placeNew('a', 1, label, [])).toMatchObject({ topLeftX: 0, topLeftY: 0, ...label })
})
