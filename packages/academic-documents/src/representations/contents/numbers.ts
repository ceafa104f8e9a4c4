import type { Hours } from './transcript-shapes.ts'

/** `8,5` for 8.5, and the decimals that were written; whole numbers as they are. */
export const decimal = (value: string | number): string => String(value).replace('.', ',')

/** Clock hours without decimals that say nothing. */
const clock = (value: string | number): string => decimal(value).replace(/,0+$/, '')

export const clockHours = (value: string | number): string => `${clock(value)} h`
export const lessonHours = (value: string | number): string => `${value} h/a`

export function hoursText({ horaAula, horaRelogio, etiqueta }: Hours): string {
  const amount = [horaAula !== undefined && lessonHours(horaAula), horaRelogio !== undefined && clockHours(horaRelogio)]
  return [...amount, etiqueta && `(${etiqueta})`].filter(Boolean).join(' ')
}
