import { number, type PdfText } from '../pdf/syntax.ts'

/** `#rrggbb`. */
export type Color = string

const channels = (color: Color): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)

const operands = (color: Color): PdfText => channels(color).map(number).join(' ')

export const fill = (color: Color): PdfText => `${operands(color)} rg`
export const stroke = (color: Color): PdfText => `${operands(color)} RG`

/** The colour on white paper when only this share of it is printed; PDF/A-1 has no transparency. */
export const tint = (color: Color, share: number): Color =>
  `#${channels(color)
    .map((value) =>
      Math.round(255 * (1 - share * (1 - value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
