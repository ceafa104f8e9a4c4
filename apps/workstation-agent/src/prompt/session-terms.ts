// What a holder agrees to by giving the PIN for a session: which documents, how many, and for how long.
import type { Question } from './prompt.ts'
import type { PromptLanguage, Say } from './texts.ts'

/** Names and values of what the server told. One from before says neither house nor length. */
export function sessionTerms(
  question: Question,
  say: Say,
  language: PromptLanguage,
): readonly (readonly [string, string])[] {
  const { allowance, sessionSeconds } = question
  const documents = allowance === undefined ? say('all-documents') : say('some-documents', { count: allowance })
  const lasts =
    sessionSeconds === undefined
      ? []
      : ([[say('lasts'), say('idle', { time: span(sessionSeconds, language) })]] as const)
  return [[say('documents'), documents], ...lasts]
}

const MINUTE = 60
const HOUR = 3600

const units = [
  { unit: 'hour', seconds: HOUR },
  { unit: 'minute', seconds: MINUTE },
  { unit: 'second', seconds: 1 },
] as const

/** In the largest unit that has at least one whole. */
function span(seconds: number, language: PromptLanguage): string {
  const { unit, seconds: size } = units.find((each) => seconds >= each.seconds) ?? units[2]
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(seconds / size)
}
