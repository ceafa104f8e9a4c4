import { expect, test } from 'vitest'
import { moved, type PlacedMark, placeNew, resized } from './mark-geometry.ts'

const a4 = { width: 595, height: 842 }

const overlap = (one: PlacedMark, other: PlacedMark) =>
  one.topLeftX < other.topLeftX + other.width &&
  other.topLeftX < one.topLeftX + one.width &&
  one.topLeftY < other.topLeftY + other.height &&
  other.topLeftY < one.topLeftY + one.height

/** How many of the marks lie on another one. */
const covered = (marks: readonly PlacedMark[]) =>
  marks.filter((one) => marks.some((other) => one !== other && overlap(one, other))).length

test('new marks stand at the foot of the page, beside and above each other, none over another', () => {
  const marks: PlacedMark[] = []
  for (const id of ['a', 'b', 'c', 'd']) marks.push(placeNew(id, 1, a4, marks))
  expect(covered(marks)).toBe(0)
  expect(marks[0]!.topLeftY + marks[0]!.height).toBeLessThan(a4.height)
})

test('the place of a mark that was removed is taken before a further one', () => {
  const first = placeNew('a', 1, a4, [])
  const second = placeNew('b', 1, a4, [first])
  expect(placeNew('c', 1, a4, [second])).toEqual({ ...first, id: 'c' })
})

test('a new mark keeps clear of marks that were moved or made larger', () => {
  const first = placeNew('a', 1, a4, [])
  const marks = [resized(moved(first, 100, -40, a4), 120, 60, a4)]
  for (const id of ['b', 'c', 'd', 'e']) marks.push(placeNew(id, 1, a4, marks))
  expect(covered(marks)).toBe(0)
})

test('a gap between the usual places is found when those are taken', () => {
  const between = { id: 'a', pageNumber: 1, topLeftX: 0, width: a4.width }
  const marks = [
    { ...between, topLeftY: 0, height: 300 },
    { ...between, topLeftY: 380, height: 462 },
  ]
  const found = placeNew('b', 1, a4, marks)
  expect(marks.some((mark) => overlap(mark, found))).toBe(false)
})

test('on a full page a new mark stands where it hides least', () => {
  const whole = { id: 'a', pageNumber: 1, topLeftX: 0, topLeftY: 0, ...a4 }
  const twice = { ...whole, id: 'b', topLeftY: 421, height: 421 }
  const found = placeNew('c', 1, a4, [whole, twice])
  expect(found.topLeftY + found.height).toBeLessThanOrEqual(421)
})

test('marks of other pages take no place', () => {
  const first = placeNew('a', 1, a4, [])
  expect(placeNew('b', 2, a4, [first])).toMatchObject({ topLeftX: first.topLeftX, topLeftY: first.topLeftY })
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
