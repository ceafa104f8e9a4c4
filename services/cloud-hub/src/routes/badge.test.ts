import { expect, test } from 'vitest'
import { monogram } from './badge.ts'

test.each([
  ['BirdID', 'B'],
  ['ápice', 'Á'],
  ['𝒩uvem', '𝒩'],
  ['<script>alert(1)</script>', '&lt;'],
])('the monogram of %s is %s, and its name stands there as text', (name, letter) => {
  const svg = monogram(name)
  expect(svg).toContain(`>${letter}</text>`)
  expect(svg).not.toContain('<script')
})

test('a name has one colour of the 24, and names have different ones', () => {
  const hueOf = (name: string) => Number(/hsl\((\d+) /.exec(monogram(name))![1])
  const hues = new Set(Array.from({ length: 300 }, (_, index) => hueOf(`Provedor ${index}`)))
  expect([...hues].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index * 15))
  expect(hueOf('BirdID')).toBe(hueOf('BirdID'))
})
