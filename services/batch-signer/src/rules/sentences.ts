// Sentences that are stored: the English one, and what it consists of, so that every reader gets it in their language.
import type { ReportLocale } from './cnab240/entry-codes.ts'
import { eventTexts } from './event-texts.ts'
import { type Both, historyTexts } from './history-texts.ts'
import { failureIn, type ToldFailure } from './job-reason.ts'
import { partTexts } from './part-texts.ts'

export const sentenceTexts = { ...partTexts, ...historyTexts, ...eventTexts } as const

export type SentenceKey = keyof typeof sentenceTexts

/** A value in a sentence: words of others as they are, or a sentence that is told in the same language. */
type Fact = string | number | Sentence | readonly Sentence[]

interface Keyed {
  readonly key: SentenceKey
  readonly facts?: Readonly<Record<string, Fact>>
}

/** Several with commas between them. */
interface Listed {
  readonly list: readonly Sentence[]
}

/** One of ours, why something failed, or what the signature engine says in each language. */
export type Sentence = Keyed | Listed | ToldFailure | Both

/** A sentence, or several, in English and as they are stored. */
export interface Said {
  readonly text: string
  readonly told: readonly Sentence[]
}

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type FactsOf<Key extends SentenceKey> = NamesIn<(typeof sentenceTexts)[Key]['en-US']>

/** What is given for a name: a value, or what was said elsewhere. */
type Given = Fact | Said

/** A sentence of the tables with its facts. */
export function said<Key extends SentenceKey>(
  key: Key,
  ...[facts]: [FactsOf<Key>] extends [never] ? [] : [Readonly<Record<FactsOf<Key>, Given>>]
): Said {
  if (facts === undefined) return { text: sentenceTexts[key]['en-US'], told: [{ key }] }
  const sentence = { key, facts: keptOf(facts) }
  return { text: sentenceIn('en-US', sentence) ?? '', told: [sentence] }
}

/** Most sentences have values only, and every signed file writes some: those are kept as they are. */
function keptOf(facts: Readonly<Record<string, Given>>): Readonly<Record<string, Fact>> {
  const entries = Object.entries(facts)
  if (!entries.some(([, fact]) => isSaid(fact))) return facts as Readonly<Record<string, Fact>>
  return Object.fromEntries(entries.map(([name, fact]) => [name, isSaid(fact) ? fact.told : fact]))
}

const isSaid = (given: Given): given is Said => typeof given === 'object' && 'told' in given

/** Several, one after the other; those that do not apply are left out. */
export function together(...all: readonly (Said | false | undefined)[]): Said {
  const parts = all.filter((one) => one !== undefined && one !== false)
  return { text: parts.map(({ text }) => text).join(' '), told: parts.flatMap(({ told }) => told) }
}

/** Several as a list with commas. */
export const listed = (all: readonly Said[]): Said => ({
  text: all.map(({ text }) => text).join(', '),
  told: [{ list: all.flatMap(({ told }) => told) }],
})

/** Why something failed. */
export const saidFailure = (failure: ToldFailure): Said => ({ text: failure.error, told: [failure] })

/** What the signature engine says in each language. */
export const saidBoth = (both: Both): Said => ({ text: both['en-US'], told: [both] })

/** In each language, where a reason takes it as a fact. */
export const bothOf = ({ text, told }: Said): Both => ({ 'en-US': text, 'pt-BR': toldIn('pt-BR', text, told) })

/** A stored sentence in a language; the English one where nothing else, or a key of a later version, was stored. */
export function toldIn(locale: ReportLocale, text: string, told: readonly Sentence[] | undefined): string {
  if (locale === 'en-US' || told === undefined) return text
  return joined(locale, told, ' ') ?? text
}

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
  facts: Readonly<Record<FactsOf<Key>, string | number>>,
): string => filled('en-US', sentenceTexts[key]['en-US'], facts) ?? ''

/** What the words of such a line consist of; those of any other line are told as they are. */
function wordsIn(locale: ReportLocale, text: string): string {
  if (locale === 'en-US') return text
  for (const key of everyFile) {
    const facts = patternOf(sentenceTexts[key]['en-US']).exec(text)
    if (facts) return filled(locale, sentenceTexts[key][locale], facts.groups ?? {}) ?? text
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
export const telling = ({ text, told }: Said, data: Readonly<Record<string, unknown>> = {}) => ({
  text,
  translations: [toldIn('pt-BR', text, told)],
  data: { ...data, said: told },
})

/** An event's sentence in a language. */
export const eventIn = (
  locale: ReportLocale,
  { text, data }: { readonly text: string; readonly data?: Readonly<Record<string, unknown>> },
): string => toldIn(locale, text, data?.['said'] as readonly Sentence[] | undefined)

function sentenceIn(locale: ReportLocale, sentence: Sentence): string | undefined {
  if ('error' in sentence) return failureIn(locale, sentence)
  if ('list' in sentence) return joined(locale, sentence.list, ', ')
  if (!('key' in sentence)) return sentence[locale]
  const { key, facts = {} } = sentence
  return Object.hasOwn(sentenceTexts, key) ? filled(locale, sentenceTexts[key][locale], facts) : undefined
}

/** Undefined where a fact is a sentence that this version does not know. */
function filled(locale: ReportLocale, template: string, facts: Readonly<Record<string, Fact>>): string | undefined {
  let text = ''
  for (const [at, part] of partsOf(template).entries()) {
    const words = at % 2 === 0 ? part : factIn(locale, facts[part] ?? '')
    if (words === undefined) return undefined
    text += words
  }
  return text
}

const parts = new Map<string, readonly string[]>()

/** Words and names of facts in turn; taken apart once. */
function partsOf(template: string): readonly string[] {
  const known = parts.get(template) ?? template.split(/\{(\w+)\}/)
  parts.set(template, known)
  return known
}

function factIn(locale: ReportLocale, fact: Fact): string | undefined {
  if (typeof fact !== 'object') return String(fact)
  return isSeveral(fact) ? joined(locale, fact, ' ') : sentenceIn(locale, fact)
}

const isSeveral = (fact: Sentence | readonly Sentence[]): fact is readonly Sentence[] => Array.isArray(fact)

function joined(locale: ReportLocale, sentences: readonly Sentence[], between: string): string | undefined {
  const texts = sentences.map((sentence) => sentenceIn(locale, sentence))
  return texts.includes(undefined) ? undefined : texts.join(between)
}
