import { expect, test } from 'vitest'
import { type Knowledge, whyHold } from './folder-place.ts'

const knowledge: Knowledge = { marker: undefined, known: undefined, hasSeenFolder: false, takeExisting: false }
const at = (sequence: number) => ({ id: 'a', sequence })

test.each<[string, Partial<Knowledge>, string | undefined]>([
  ['a folder that nobody knows', {}, 'folder-new'],
  ['a folder that nobody knows, where the settings allow it', { takeExisting: true }, undefined],
  ['a folder of an older version, or whose hidden file was removed', { hasSeenFolder: true }, undefined],
  ['the place the database knows', { marker: at(3), known: at(3) }, undefined],
  ['a place whose last verdict was not written into it', { marker: at(3), known: at(4) }, undefined],
  ['a place that has seen later verdicts', { marker: at(4), known: at(3), takeExisting: true }, 'database-older'],
  ['a place of another database', { marker: at(1), hasSeenFolder: true, takeExisting: true }, 'database-new'],
])('%s', (_what, over, expected) => {
  expect(whyHold({ ...knowledge, ...over })).toBe(expected)
})
