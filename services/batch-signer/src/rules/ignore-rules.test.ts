import { expect, test } from 'vitest'
import { ignoreRules, isIgnored, UPLOAD_PREFIX } from './ignore-rules.ts'

const host = { IgnoredExtensions: ['.tmp', 'PART'], IgnoredPrefixes: ['.', '~$'] }

test.each([
  ['a.tmp', true],
  ['a.TMP', true],
  ['a.tmp.pdf', false],
  ['a.part', true],
  ['tmp', false],
  ['.hidden.pdf', true],
  ['~$a.docx', true],
  ['a~$.docx', false],
  ['a.bak', true],
  ['draft-a.pdf', true],
  ['a.pdf', false],
  ['a', false],
])('%s is left alone: %s', (name, ignored) => {
  const rules = ignoreRules(host, { IgnoredExtensions: ['.bak'], IgnoredPrefixes: ['draft-'] })
  expect(isIgnored(rules, name)).toBe(ignored)
})

test('an upload on its way in is left alone whatever the lists say, and an empty entry says nothing', () => {
  const rules = ignoreRules({ IgnoredExtensions: [''], IgnoredPrefixes: [''] })
  expect(isIgnored(rules, `${UPLOAD_PREFIX}x.pdf`)).toBe(true)
  expect(isIgnored(rules, 'a.pdf')).toBe(false)
  expect(isIgnored(rules, 'a.')).toBe(false)
})
