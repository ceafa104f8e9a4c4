import { expect, test } from 'vitest'
import { may, mayWith } from './rights.ts'

const operator = {
  id: 'ana',
  rights: { 'documents.create': 'all', 'documents.change': 'own', 'folders.change': 'none' },
} as const

test('a right that is missing or unknown allows nothing', () => {
  expect(may(operator, 'documents.create')).toBe(true)
  expect(may(operator, 'documents.change')).toBe(true)
  expect(may(operator, 'folders.change')).toBe(false)
  expect(may(operator, 'webhooks.manage')).toBe(false)
})

test('a right over one’s own does not reach what others created', () => {
  expect(mayWith(operator, 'documents.change', { id: 'ana' })).toBe(true)
  expect(mayWith(operator, 'documents.change', { id: 'bruno' })).toBe(false)
  expect(mayWith({ ...operator, rights: { 'documents.change': 'all' } }, 'documents.change', { id: 'bruno' })).toBe(
    true,
  )
})
