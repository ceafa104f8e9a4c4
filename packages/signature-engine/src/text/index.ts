// Texts of others, before they are shown, printed, or written into a line of something.

import { requireArguments } from '../errors/arguments.ts'

/** What ends a line, steers a terminal, or turns the direction in which the text around it is read. */
const ACTING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const ACTING_RUN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** The same but for tabs and the ends of lines, which a text of several lines has. */
const ACTING_IN_LINES = /[^\P{Cc}\t\r\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Everything that is not seen, marks that join or separate letters included. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const UNSEEN_RUN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Whether a text is one line that is read as it is written. */
export const isOneLine = (text: string): boolean => !ACTING.test(text)

/** A text as one line that is read as it is written. */
export function asOneLine(text: string): string {
  requireArguments('asOneLine', { text: [text, 'text'] })
  return text.replace(ACTING_RUN, ' ').trim()
}

/** The same where it is printed: what is not seen leaves room for what it stood between. */
export function asPrinted(text: string): string {
  requireArguments('asPrinted', { text: [text, 'text'] })
  return text.replaceAll(UNSEEN_RUN, ' ').trim()
}

/** A text in which nothing is unseen; `instead` stands for each character of that kind. */
export function withoutUnseen(text: string, instead = ''): string {
  requireArguments('withoutUnseen', { text: [text, 'text'] })
  return text.replace(UNSEEN, instead)
}

/** A text of several lines that is read as it is written. */
export function plainLines(text: string): string {
  requireArguments('plainLines', { text: [text, 'text'] })
  return text.replace(ACTING_IN_LINES, '')
}
