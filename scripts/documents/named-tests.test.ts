import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingTests } from './named-tests.ts'

const root = join(import.meta.dirname, '../..')

const threats = (...rows: readonly string[]): string =>
  ['| Threat | Answer | Test |', '|---|---|---|', ...rows].join('\n')

test('names count from the folder that the text gives, or from the root', () => {
  const text = `Test files are in \`scripts/documents\`.\n\n${threats(
    '| a | b | `named-tests`, `client/typescript-of` |',
    '| a `not-a-test` | b | `scripts/gates` |',
  )}`
  expect(missingTests(text, root)).toEqual([])
})

test('a test that is not there, or of another folder, is named with its line', () => {
  const text = `Test files are in \`docs\`.\n${threats('| a | b | `named-tests`, `scripts/gates` |')}`
  expect(missingTests(text, root)).toEqual([{ line: 4, what: 'names the test named-tests, which is not there' }])
})

test('a row without a test is one, and tables without that column are not looked at', () => {
  const others = '| Who | Has |\n|---|---|\n| anybody | `nothing` |'
  expect(missingTests(`${threats('| a | b | |')}\n\n${others}`, root)).toEqual([{ line: 3, what: 'names no test' }])
})
