import { expect, test } from 'vitest'
import { prettyBody } from './pretty-body.ts'

test('a payload is set out line by line', () => {
  expect(prettyBody('{"type":"DocumentSigned","data":{"id":"1"}}')).toBe(
    '{\n  "type": "DocumentSigned",\n  "data": {\n    "id": "1"\n  }\n}',
  )
})

test('what is no JSON is shown as it is', () => {
  expect(prettyBody('<html>')).toBe('<html>')
})
