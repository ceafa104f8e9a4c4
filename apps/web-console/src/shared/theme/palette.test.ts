import { describe, expect, test } from 'vitest'
import { type ColorScheme, type Palette, palettes } from './palette.ts'

/** Pairs of text and background that the stylesheets use. */
const readable: [text: keyof Palette, ground: keyof Palette][] = [
  ...(['ink', 'muted', 'pine', 'brass'] as const).flatMap((text) =>
    (['paper', 'surface', 'well'] as const).map((ground): [keyof Palette, keyof Palette] => [text, ground]),
  ),
  ['good', 'goodGround'],
  ['pine', 'goodGround'],
  ['warning', 'warningGround'],
  ['warning', 'surface'],
  ['bad', 'badGround'],
  ['bad', 'surface'],
  ['good', 'surface'],
  ['idle', 'idleGround'],
  ['paper', 'pine'],
]

describe.each(Object.keys(palettes) as ColorScheme[])('the %s palette', (scheme) => {
  // WCAG 2.2, 1.4.3: 4.5 to 1 for text of any size.
  test.each(readable)('%s can be read on %s', (text, ground) => {
    expect(contrast(palettes[scheme][text], palettes[scheme][ground])).toBeGreaterThanOrEqual(4.5)
  })
})

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((place) => linear(Number.parseInt(color.slice(place, place + 2), 16) / 255))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
