import type { Bilingual } from './bilingual.ts'
import { partsOf } from './sentences.ts'

type Facts = Readonly<Record<string, string | number>>

/**
 * Sentences of which the English words alone are stored, and read again where they are shown: also those that were stored
 * before anybody read them. A fact is one word, but for `{name}` and `{said}`, which people wrote; `{why}` is another
 * sentence of the table.
 */
export class StoredWords<Key extends string> {
  readonly #table: Readonly<Record<Key, Bilingual>>
  readonly #patterns: readonly (readonly [RegExp, Bilingual])[]

  constructor(table: Readonly<Record<Key, Bilingual>>) {
    this.#table = table
    this.#patterns = Object.values<Bilingual>(table).map((texts) => [patternOf(texts['en-US']), texts])
  }

  /** A sentence as it is stored. */
  said(key: Key, facts: Facts = {}): string {
    return filled(this.#table[key]['en-US'], facts)
  }

  /** What stored words say in each language; null for those of somebody else. */
  inBoth(stored: string | null): Bilingual | null {
    if (stored === null) return null
    const portuguese = this.#inPortuguese(stored)
    return portuguese === undefined ? null : { 'pt-BR': portuguese, 'en-US': stored }
  }

  #inPortuguese(stored: string): string | undefined {
    for (const [pattern, { 'pt-BR': template }] of this.#patterns) {
      const found = pattern.exec(stored)
      const { why: reason, ...facts } = found?.groups ?? {}
      const why = reason === undefined ? '' : this.#inPortuguese(reason)
      if (found && why !== undefined) return filled(template, { ...facts, why })
    }
    return undefined
  }
}

const filled = (template: string, facts: Facts): string =>
  partsOf(template)
    .map((part, at) => (at % 2 === 0 ? part : String(facts[part] ?? '')))
    .join('')

const texts: ReadonlySet<string> = new Set(['name', 'said', 'why'])

const patternOf = (template: string): RegExp => {
  const parts = partsOf(template).map((part, at) =>
    at % 2 === 0 ? part.replace(/[.()]/g, '\\$&') : `(?<${part}>${texts.has(part) ? '.+' : '\\S+'})`,
  )
  return new RegExp(`^${parts.join('')}$`, 's')
}
