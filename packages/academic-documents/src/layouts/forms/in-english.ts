// A form in English, for pages in that language. What is written into a document stays Portuguese, options included.

import { englishExpectations, englishHelp, englishLabels, englishOptions } from './english-words.ts'
import type { Field, ValueField } from './fields.ts'

/** The same form with its labels, helps and expectations in English. */
export const inEnglish = (fields: readonly Field[]): readonly Field[] => fields.map(field)

function field(one: Field): Field {
  if (one.kind === 'oneOf') return { ...one, options: one.options.map(inEnglish) }
  const named = { ...one, label: wordIn(englishLabels, one.xmlName), ...helped(one.help) }
  if (named.kind === 'group') return { ...named, fields: inEnglish(named.fields) }
  if (named.kind === 'list') return { ...named, items: inEnglish(named.items) }
  return named.kind === 'value' ? value(named) : named
}

const helped = (help: string | undefined) => help !== undefined && { help: wordIn(englishHelp, help) }

const value = (one: ValueField): ValueField => ({
  ...one,
  expects: one.options === undefined ? expectation(one.expects) : `one of these: ${one.options.join('; ')}`,
  ...(one.optionLabels && { optionLabels: one.options!.map((option) => englishOptions[option] ?? option) }),
})

const LINE = /^texto de (\d+) a (\d+) caracteres latinos, sem espaços no início nem no fim$/

function expectation(expects: string): string {
  const line = LINE.exec(expects)
  if (line) return `text of ${line[1]} to ${line[2]} Latin characters, without blanks at its ends`
  return wordIn(englishExpectations, expects)
}

/** A form without a word would be a gap on a page: a test asks for every form. */
function wordIn(words: Readonly<Record<string, string>>, key: string): string {
  const word = Object.hasOwn(words, key) ? words[key] : undefined
  if (word === undefined) throw new Error(`no English for "${key}"`)
  return word
}
