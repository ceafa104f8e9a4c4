import type { EventText, NewEvent } from '@chancela/service-kernel/events'
import type { SentenceTable } from '@chancela/service-kernel/i18n'

/** What English sentences have and no Portuguese one does. */
const ENGLISH = /(?<!\p{L})(the|is|was|were|cannot|could|not|of|and|to|by|which|its|any|more)(?!\p{L})/iu

/** The events of a service: the types of its contract, their sentences with parts of them, and what records and tells them. */
interface EventSentences {
  readonly types: readonly string[]
  readonly texts: SentenceTable
  readonly parts: SentenceTable
  readonly act: unknown
  readonly eventText: EventText
}

/** Why a reader would not get an event in their language; empty when every type has its sentence. */
export function sentenceProblems({ types, texts, parts, act, eventText }: EventSentences): readonly string[] {
  const missing = types.filter((type) => !Object.hasOwn(texts, type)).map((type) => `${type} has no sentence`)
  const unknown = Object.keys(texts).filter((type) => !types.includes(type))
  const uneven = Object.entries({ ...texts, ...parts }).filter(
    ([, text]) => String(factsIn(text['pt-BR'])) !== String(factsIn(text['en-US'])),
  )
  const record = act as (type: string, actor: string, subject: undefined, facts: object) => NewEvent
  const told = types
    .filter((type) => Object.hasOwn(texts, type))
    .flatMap((type) => {
      const facts = factsIn(texts[type]!['en-US'])
      const event = record(type, 'ana', undefined, Object.fromEntries(facts.map((name) => [name, `«${name}»`])))
      return toldProblems(event, facts, eventText)
    })
  return [
    ...missing,
    ...unknown.map((type) => `${type} has a sentence and is no type of the contract`),
    ...uneven.map(([key]) => `${key} has other facts in pt-BR than in en-US`),
    ...told,
  ]
}

/** As it comes back from the database. */
function toldProblems({ type, text, data }: NewEvent, facts: readonly string[], eventText: EventText) {
  const stored = { type, text, data: JSON.parse(JSON.stringify(data)), id: '', at: new Date(0), actor: 'ana' }
  const [english, portuguese] = [eventText('en-US', stored), eventText('pt-BR', stored)]
  const lost = facts.filter((name) => [english, portuguese].some((one) => !one.includes(`«${name}»`)))
  const words = portuguese.replace(/«\w+»/g, '')
  return [
    ...lost.map((name) => `${type} does not tell ${name}`),
    ...(/[{}]/.test(english + portuguese) ? [`${type} has a fact left over`] : []),
    ...(portuguese === english || ENGLISH.test(words) ? [`${type} is told in English: ${portuguese}`] : []),
  ]
}

const factsIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort()
