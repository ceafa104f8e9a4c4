// Sentences of records: templates in both languages, and what fills them. The English sentence and its facts are stored;
// a reader gets them in their language. A template may change later: what was stored does not.
import type { Bilingual, InterfaceLanguage } from './bilingual.ts'

/** Templates by their keys; `{name}` in one is a fact. */
export type SentenceTable<Key extends string = string> = Readonly<Record<Key, Bilingual>>

interface Keyed<Other> {
  readonly key: string
  readonly facts?: Facts<Other>
}

type Several<Other> = readonly Sentence<Other>[]

/** A value in a sentence: words of others as they are, or a sentence that is told in the same language. */
type Fact<Other = never> = string | number | Sentence<Other> | Several<Other>

type Facts<Other> = Readonly<Record<string, Fact<Other>>>

/** A template with its facts; several with commas between them; what others say in each language; what a service reads by itself. */
export type Sentence<Other = never> = Keyed<Other> | { readonly list: Several<Other> } | Bilingual | Other

/** A sentence, or several, in English and as they are stored. */
export interface Said<Other = never> {
  readonly text: string
  readonly told: Several<Other>
}

/** What is given for a name: a value, or what was said elsewhere. */
type Given<Other = never> = Fact<Other> | Said<Other>

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The names of the facts of a sentence. */
export type FactNames<Table extends SentenceTable, Key extends keyof Table> = NamesIn<Table[Key]['en-US']>

/** What fills a sentence of a table. */
export type FactsOf<Table extends SentenceTable, Key extends keyof Table, Other = never> = Readonly<
  Record<FactNames<Table, Key>, Given<Other>>
>

/** What reads the kinds of sentences that only one service has; undefined where it does not know one. */
type OtherIn<Other> = (language: InterfaceLanguage, sentence: Other) => string | undefined

/** Says the sentences of a table, and reads what was stored of them. */
export class SentenceBook<Table extends SentenceTable, Other extends object = never> {
  readonly #table: Table
  readonly #otherIn: OtherIn<Other> | undefined

  constructor(table: Table, otherIn?: OtherIn<Other>) {
    this.#table = table
    this.#otherIn = otherIn
  }

  /** A sentence of the table with its facts. */
  said<Key extends keyof Table & string>(
    key: Key,
    ...[facts]: [FactNames<Table, Key>] extends [never] ? [facts?: undefined] : [facts: FactsOf<Table, Key, Other>]
  ): Said<Other> {
    if (facts === undefined) return { text: this.#table[key]!['en-US'], told: [{ key }] }
    const sentence = { key, facts: keptOf<Other>(facts) }
    return { text: this.#sentenceIn('en-US', sentence) ?? '', told: [sentence] }
  }

  /** A stored sentence in a language; the English one where nothing else, or a key of a later version, was stored. */
  toldIn(language: InterfaceLanguage, text: string, told: Several<Other> | undefined): string {
    if (language === 'en-US' || told === undefined) return text
    return this.#joined(language, told, ' ') ?? text
  }

  /** The part of an event that says what happened. What its sentence consists of is kept with its data. */
  telling({ text, told }: Said<Other>, data: Readonly<Record<string, unknown>> = {}) {
    return { text, translations: [this.toldIn('pt-BR', text, told)], data: { ...data, said: told } }
  }

  /** An event's sentence in a language. */
  eventIn(language: InterfaceLanguage, { text, data }: ToldEvent): string {
    const told = data?.['said']
    return this.toldIn(language, text, Array.isArray(told) ? (told as Several<Other>) : undefined)
  }

  /** A template with its facts; undefined where one is a sentence that this version does not know. */
  filled(language: InterfaceLanguage, key: keyof Table & string, facts: Facts<Other>): string | undefined {
    let text = ''
    for (const [at, part] of partsOf(this.#table[key]![language]).entries()) {
      const words = at % 2 === 0 ? part : this.#factIn(language, facts[part] ?? '')
      if (words === undefined) return undefined
      text += words
    }
    return text
  }

  #sentenceIn(language: InterfaceLanguage, sentence: Sentence<Other>): string | undefined {
    if ('list' in sentence) return this.#joined(language, sentence.list, ', ')
    if (isBilingual(sentence)) return sentence[language]
    if (!isKeyed(sentence)) return this.#otherIn?.(language, sentence as Other)
    const { key, facts = {} } = sentence
    return Object.hasOwn(this.#table, key) ? this.filled(language, key, facts) : undefined
  }

  #factIn(language: InterfaceLanguage, fact: Fact<Other>): string | undefined {
    if (typeof fact !== 'object') return String(fact)
    return isSeveral(fact) ? this.#joined(language, fact, ' ') : this.#sentenceIn(language, fact as Sentence<Other>)
  }

  #joined(language: InterfaceLanguage, sentences: Several<Other>, between: string): string | undefined {
    const texts = sentences.map((sentence) => this.#sentenceIn(language, sentence))
    return texts.includes(undefined) ? undefined : texts.join(between)
  }
}

/** What was stored of a sentence with an event. */
interface ToldEvent {
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Several, one after the other; those that do not apply are left out. */
export function together<Other>(...all: readonly (Said<Other> | false | undefined)[]): Said<Other> {
  const parts = all.filter((one) => one !== undefined && one !== false)
  return { text: parts.map(({ text }) => text).join(' '), told: parts.flatMap(({ told }) => told) }
}

/** Several as a list with commas. */
export const listed = <Other>(all: readonly Said<Other>[]): Said<Other> => ({
  text: all.map(({ text }) => text).join(', '),
  told: [{ list: all.flatMap(({ told }) => told) }],
})

/** What somebody else says in each language. */
export const saidBoth = (both: Bilingual): Said => ({ text: both['en-US'], told: [both] })

/** Most sentences have values only, and the batch signer writes some for every file: those are kept as they are. */
function keptOf<Other>(facts: Readonly<Record<string, Given<Other>>>): Facts<Other> {
  const entries = Object.entries(facts)
  if (!entries.some(([, fact]) => isSaid(fact))) return facts as Facts<Other>
  return Object.fromEntries(entries.map(([name, fact]) => [name, isSaid(fact) ? fact.told : fact]))
}

const isSaid = <Other>(given: Given<Other>): given is Said<Other> =>
  typeof given === 'object' && given !== null && 'told' in given

const isSeveral = <Other>(fact: Sentence<Other> | Several<Other>): fact is Several<Other> => Array.isArray(fact)

const isKeyed = (sentence: object): sentence is Keyed<never> => 'key' in sentence

const isBilingual = (sentence: object): sentence is Bilingual => 'en-US' in sentence && 'pt-BR' in sentence

const taken = new Map<string, readonly string[]>()

/** Words and names of facts in turn; taken apart once. */
export function partsOf(template: string): readonly string[] {
  const known = taken.get(template) ?? template.split(/\{(\w+)\}/)
  taken.set(template, known)
  return known
}
