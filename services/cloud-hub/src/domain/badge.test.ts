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
