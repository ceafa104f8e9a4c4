import { expect, test } from 'vitest'
import { localPath } from './local-path.ts'

test('a path of this site is kept with its filters', () => {
  expect(localPath('/jobs?status=Failed')).toBe('/jobs?status=Failed')
})

test.each([
  undefined,
  '',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/login?error=x',
])('%s leads to the overview', (path) => {
  expect(localPath(path)).toBe('/')
})
