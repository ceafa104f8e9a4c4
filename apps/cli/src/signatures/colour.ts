import type { CommandContext } from '../command-context.ts'

export const colourChoices = ['auto', 'always', 'never'] as const
export type ColourChoice = (typeof colourChoices)[number]

/** Colours of the marks that begin a line: good, bad, open. */
const colours = { '✔': 32, '✘': 31, '?': 33 } as const
const MARKED = /^(\s*)([✔✘?])( .*)$/gmu

/** Whether to use colours: as asked; else on a terminal, unless NO_COLOR (no-color.org) or a dumb one says no. */
export function isColoured(asked: ColourChoice, { environment }: Pick<CommandContext, 'environment'>): boolean {
  if (asked !== 'auto') return asked === 'always'
  if (environment.NO_COLOR || environment.TERM === 'dumb') return false
  return process.stdout.isTTY === true
}

/** The text with its marked lines in colour. */
export const coloured = (text: string): string =>
  text.replace(
    MARKED,
    (_, space: string, mark: keyof typeof colours, rest: string) =>
      `${space}\u001b[${colours[mark]}m${mark}${rest}\u001b[0m`,
  )
