// Sentences that are stored: the English one, and what it consists of, so that every reader gets it in their language.
import {
  type Sentence as AnySentence,
  type FactNames,
  partsOf,
  SentenceBook,
  type Said as TheSaid,
} from '@chancela/service-kernel/i18n'
import type { ReportLocale } from './cnab240/entry-codes.ts'
import { eventTexts } from './event-texts.ts'
import { type Both, historyTexts } from './history-texts.ts'
import { failureIn, type ToldFailure } from './job-reason.ts'
import { partTexts } from './part-texts.ts'

export { listed, saidBoth, together } from '@chancela/service-kernel/i18n'

export const sentenceTexts = { ...partTexts, ...historyTexts, ...eventTexts } as const

export type SentenceKey = keyof typeof sentenceTexts

/** One of ours, why something failed, or what the signature engine says in each language. */
export type Sentence = AnySentence<ToldFailure>

/** A sentence, or several, in English and as they are stored. */
export type Said = TheSaid<ToldFailure>

const book = new SentenceBook<typeof sentenceTexts, ToldFailure>(sentenceTexts, failureIn)

/** A sentence of the tables with its facts. */
export const said: typeof book.said = (key, ...facts) => book.said(key, ...facts)

/** Why something failed. */
export const saidFailure = (failure: ToldFailure): Said => ({ text: failure.error, told: [failure] })

/** In each language, where a reason takes it as a fact. */
export const bothOf = ({ text, told }: Said): Both => ({ 'en-US': text, 'pt-BR': toldIn('pt-BR', text, told) })

/** A stored sentence in a language; the English one where nothing else, or a key of a later version, was stored. */
export const toldIn = (locale: ReportLocale, text: string, told: readonly Sentence[] | undefined): string =>
  book.toldIn(locale, text, told)

/** A line of a history in a language; `told` is its JSON. */
export const lineIn = (locale: ReportLocale, text: string, told: string | null): string =>
  told === null ? wordsIn(locale, text) : toldIn(locale, text, JSON.parse(told) as readonly Sentence[])

/**
 * The lines of every file that is signed: their words alone are stored, and read again where they are shown. One whose
 * words another contains comes after it.
 */
const everyFile = [
  'found-by-rescan',
  'found',
  'picked-up',
  'signed',
  'not-verified',
  'verified',
] as const satisfies readonly SentenceKey[]

type EveryFileKey = (typeof everyFile)[number]

/** The words of such a line; some hundred files a second write them. */
export const words = <Key extends EveryFileKey>(
  key: Key,
  facts: Readonly<Record<FactNames<typeof sentenceTexts, Key>, string | number>>,
): string => book.filled('en-US', key, facts) ?? ''

/** What the words of such a line consist of; those of any other line are told as they are. */
function wordsIn(locale: ReportLocale, text: string): string {
  if (locale === 'en-US') return text
  for (const key of everyFile) {
    const facts = patternOf(sentenceTexts[key]['en-US']).exec(text)
    if (facts) return book.filled(locale, key, facts.groups ?? {}) ?? text
  }
  return text
}

/** A fact ends where the next words of the sentence begin for the first time. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${partsOf(template)
      .map((part, at) => (at % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : `(?<${part}>.+?)`))
      .join('')}$`,
    's',
  )

/** The part of an event that says what happened. What its sentence consists of is kept with its data. */
export const telling: typeof book.telling = (what, data) => book.telling(what, data)

/** An event's sentence in a language. */
export const eventIn: typeof book.eventIn = (locale, event) => book.eventIn(locale, event)
