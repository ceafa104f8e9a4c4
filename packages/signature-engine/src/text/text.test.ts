import { expect, test } from 'vitest'
import { asOneLine, isOneLine, plainLines, withoutUnseen } from './index.ts'

/** Every character that turns the direction of text, or is none that is seen. */
const directions = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']
const lineEnds = [...'\n\r\v\f\u0085\u2028\u2029']

test.each([...directions, ...lineEnds, '\u0000', '\u001b', '\t', '\u007f', '\u009b'])(
  '%j is in no line',
  (character) => {
    expect(isOneLine(`Ana${character}Souza`)).toBe(false)
    expect(asOneLine(`Ana${character}${character}Souza${character}`)).toBe('Ana Souza')
    expect(withoutUnseen(`Ana${character}Souza`, ' ')).toBe('Ana Souza')
  },
)

test.each(['Ana Souza', 'José D’Ávila', '日本', 'Zoë 👩‍⚕️', 'میرا‌نام', 'a\u00a0b'])('%s is a line as it is', (text) => {
  expect(isOneLine(text)).toBe(true)
  expect(plainLines(text)).toBe(text)
})

test('a text of several lines keeps them, and its tabs', () => {
  const text = 'Um\r\n\tdois\ntrês'
  expect(plainLines(text)).toBe(text)
  expect(plainLines(`a${directions.join('')}b\u0000\u001bc`)).toBe('abc')
})
