import type { Color } from './drawing.ts'

export const WHITE: Color = { red: 1, green: 1, blue: 1 }

/** What is seen of a colour over another, where `seen` of it is seen: a colour that needs no transparency. */
export function mixed({ red, green, blue, alpha = 1 }: Color, behind: Color, seen = 1): Color {
  const part = Math.min(1, Math.max(0, alpha * seen))
  const mix = (over: number, under: number) => over * part + under * (1 - part)
  return { red: mix(red, behind.red), green: mix(green, behind.green), blue: mix(blue, behind.blue) }
}
