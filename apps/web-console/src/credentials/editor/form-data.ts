// Between a form and the data that are typed into it: what is chosen, what is sent, what a path is called. Data have the
// shape of the request, with texts in the leaves; a part that is there, even empty, was chosen.
import { type Draft, stepsOf } from '../parts/draft.ts'
import type { ChoiceField, Field, ListField, NamedField, ValueField } from './form-types.ts'

export const namedIn = (fields: readonly Field[]): readonly NamedField[] =>
  fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flatMap(namedIn) : [field]))

export const isNode = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nodeOf = (value: unknown): Draft => (isNode(value) ? value : {})

/** How many fields of an option are there. */
const present = (option: readonly Field[], value: Draft): number =>
  namedIn(option).filter(({ name }) => value[name] !== undefined).length

/** Which option was chosen; of two that must be one, the one to be typed until another is. */
export function chosenOption(choice: ChoiceField, value: Draft): number | undefined {
  const counts = choice.options.map((option) => present(option, value))
  const most = Math.max(...counts)
  if (most > 0) return counts.indexOf(most)
  return choice.required && choice.options.length <= 2 ? usualOption(choice) : undefined
}

/** One that is typed comes before one that is a part of its own, such as a process instead of an act. */
function usualOption({ options }: ChoiceField): number {
  const typed = options.findIndex(([first]) => first?.kind === 'value')
  return typed === -1 ? 0 : typed
}

const begun: Readonly<Record<NamedField['kind'], unknown>> = { value: '', flag: true, group: {}, list: [] }

/** A new part or item of a list. */
export const newItem = (field: NamedField): unknown => (field.kind === 'list' ? [] : begun[field.kind])

/** The data with another option chosen; what was typed for the others is gone. */
export function withOption(choice: ChoiceField, value: Draft, option: number | undefined): Draft {
  const others = new Set(choice.options.flatMap(namedIn).map(({ name }) => name))
  const kept = Object.fromEntries(Object.entries(value).filter(([name]) => !others.has(name)))
  const first = option === undefined ? undefined : namedIn(choice.options[option]!)[0]
  return first ? { ...kept, [first.name]: first.repeated ? [newItem(first)] : newItem(first) } : kept
}

const isDigits = ({ patterns }: ValueField): boolean => patterns.some((one) => /^\^\[0-9\]\{\d+\}\$$/.test(one))

/** Digits are written with dots and strokes by people; a time without seconds has none. */
function textSent(field: ValueField, value: unknown): string | undefined {
  const text = String(value ?? '').trim()
  if (text === '') return undefined
  if (isDigits(field)) return text.replaceAll(/[.\-/\s]/g, '')
  return isTime(field) && /^\d\d:\d\d$/.test(text) ? `${text}:00` : text
}

export const isTime = ({ patterns }: ValueField): boolean => patterns.some((one) => one.includes(':[0-5][0-9]:'))

interface Sending {
  /** Fields of the request that fill others in. */
  readonly filled: readonly string[]
}

function one(field: NamedField, value: unknown, sending: Sending, isItem = false): unknown {
  if (field.kind === 'value') return textSent(field, value)
  if (field.kind === 'flag') return value === true ? true : undefined
  if (value === undefined && !field.required && !isItem) return undefined
  if (field.kind === 'group') return fieldsSent(field.fields, nodeOf(value), sending)
  return (Array.isArray(value) ? value : []).map((item) => itemSent(field, nodeOf(item), sending))
}

/** An item of a list is the one thing that it has. */
const itemSent = ({ items }: ListField, item: Draft, sending: Sending): Draft =>
  fieldsSent(
    namedIn(items).filter(({ name }) => item[name] !== undefined),
    item,
    sending,
  )

function fieldSent(field: NamedField, value: unknown, sending: Sending): unknown {
  if (!field.repeated) return one(field, value, sending)
  if (!Array.isArray(value) || value.length === 0) return undefined
  // An empty one is sent: left out, those behind it would have other numbers than on the page.
  return value.map((item) => one(field, item, sending, true) ?? '')
}

function fieldsSent(fields: readonly Field[], value: Draft, sending: Sending): Draft {
  const sent: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.filledBy !== undefined && sending.filled.includes(field.filledBy)) continue
    if (field.kind === 'oneOf') {
      const option = chosenOption(field, value)
      if (option !== undefined) Object.assign(sent, fieldsSent(field.options[option]!, value, sending))
    } else {
      const given = fieldSent(field, value[field.name], sending)
      if (given !== undefined) sent[field.name] = given
    }
  }
  return sent
}

/** Data as the service takes them: what is empty is not sent, what must be there is; nor what others fill in. */
export const asSent = (fields: readonly Field[], value: Draft, filled: readonly string[] = []): Draft =>
  fieldsSent(fields, value, { filled })

/** Paths of data that the form does not have, so that what is read from a file is not lost without a word. */
export function strangersIn(fields: readonly Field[], value: unknown, path = ''): readonly string[] {
  return Object.entries(nodeOf(value)).flatMap(([name, inner]) => {
    const field = namedIn(fields).find((known) => known.name === name)
    if (!field) return [path + name]
    const inside = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : undefined
    if (!inside) return []
    return [inner].flat().flatMap((item) => strangersIn(inside, item, `${path}${name}.`))
  })
}

export interface Place {
  readonly labels: readonly string[]
  readonly field: NamedField | undefined
}

/** What the way to a field is called; names that the form does not have are left out. */
export function placeOf(fields: readonly Field[], path: string): Place {
  let inside: readonly Field[] = fields
  let field: NamedField | undefined
  const labels: string[] = []
  for (const step of stepsOf(path)) {
    if (/^\d+$/.test(step)) {
      labels.push(`${labels.pop() ?? ''} ${Number(step) + 1}`.trim())
      continue
    }
    field = namedIn(inside).find(({ name }) => name === step)
    if (!field) break
    labels.push(field.label)
    inside = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : []
  }
  return { labels, field }
}

const SUMMARY_PARTS = 3
const SUMMARY_LENGTH = 40

/** What an item of a list is recognized by: the first texts in it. */
export function summaryOf(value: unknown): string {
  const texts: string[] = []
  const walk = (inner: unknown): void => {
    if (texts.length === SUMMARY_PARTS) return
    if (typeof inner === 'string' || typeof inner === 'number') {
      const text = String(inner)
      if (text !== '' && text.length <= SUMMARY_LENGTH * 5) texts.push(text.slice(0, SUMMARY_LENGTH))
    } else if (typeof inner === 'object' && inner !== null) for (const one of Object.values(inner)) walk(one)
  }
  walk(value)
  return texts.join(' · ')
}

/** Moves the item at a place by one. */
export function moved<Item>(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const next = [...items]
  const [item] = next.splice(at, 1)
  next.splice(at + by, 0, item as Item)
  return next
}
