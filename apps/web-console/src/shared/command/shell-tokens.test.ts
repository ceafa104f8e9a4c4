import { expect, test } from 'vitest'
import { shellTokens } from './shell-tokens.ts'

/** Pieces of one kind, in their order. */
const pieces = (command: string, kind: string) =>
  shellTokens(command)
    .filter((token) => token.kind === kind)
    .map(({ text }) => text)

const REQUEST = `curl -s -X POST http://localhost:8081/v1/sessions -H 'X-Api-Key: demo|1' -d '{"pin":"12 34"}' | jq .id`

test('names programs, options, addresses, quoted texts and operators', () => {
  expect(pieces(REQUEST, 'program')).toEqual(['curl', 'jq'])
  expect(pieces(REQUEST, 'option')).toEqual(['-s', '-X', '-H', '-d'])
  expect(pieces(REQUEST, 'address')).toEqual(['http://localhost:8081/v1/sessions'])
  expect(pieces(REQUEST, 'text')).toEqual(["'X-Api-Key: demo|1'", `'{"pin":"12 34"}'`])
  expect(pieces(REQUEST, 'operator')).toEqual(['|'])
})

test('a file after > and a line after \\ are no programs', () => {
  expect(pieces('curl \\\n  -s http://localhost:8087/roots.pem > roots.pem && openssl version', 'program')).toEqual([
    'curl',
    'openssl',
  ])
})

test('an address in quotes is still an address, escaped quotes stay inside', () => {
  expect(pieces('curl "http://localhost/?a=b c"', 'address')).toEqual(['"http://localhost/?a=b c"'])
  expect(pieces('echo "say \\"hi\\" now" then', 'text')).toEqual(['"say \\"hi\\" now"'])
})

test.each([REQUEST, '', '  spaced  out ', "an 'open quote", 'a;b&&c||d <e >f', 'lines\nand\ttabs', '•••• "'])(
  'the pieces of %j are the command again when joined',
  (command) => {
    expect(
      shellTokens(command)
        .map(({ text }) => text)
        .join(''),
    ).toBe(command)
  },
)
