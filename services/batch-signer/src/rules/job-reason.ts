import type { RecordedCode } from '../contract/errors.ts'
import { type FindingCode, findingTexts } from './cnab240/finding-texts.ts'
import type { Finding } from './cnab240/findings.ts'
import { findingWithPlace } from './cnab240/remittance-report.ts'
import { engineSentences } from './engine-sentences.ts'
import type { Both } from './history-texts.ts'
import { codeSentences, type DetailKey, detailTexts, moreTexts } from './reason-texts.ts'

/** A value may be words of others that are known in each language. */
export type ReasonFacts = Readonly<Record<string, string | number | Both>>

/** Why a job failed, as it is stored: which sentence and the values in it, so that every reader gets it in their language. */
export interface JobReason {
  /** A finding of a remittance, a code of the signature engine, or a key of `detailTexts`. */
  readonly key: string
  readonly facts: ReasonFacts
  /** Where in a remittance it was found. */
  readonly place?: Pick<Finding, 'record' | 'columns'>
  /** How many further findings the file has. */
  readonly more?: number
  /** The first of these. */
  readonly others?: readonly Omit<JobReason, 'more' | 'others'>[]
}

/** Findings that are kept with a job, to be told in the reader's language; its history has the others, in English. */
const FINDINGS_KEPT = 20

/** A reason with its sentence in English, the language of the store. */
export interface ToldReason {
  readonly reason: JobReason
  readonly sentence: string
  /** Whether the sentence says everything, without the one of the code before it. */
  readonly alone: boolean
}

/** The first of a remittance's findings, and how many more there are. */
export function reasonOfFindings(findings: readonly Finding[], count: number): ToldReason | undefined {
  const [first, ...others] = findings.slice(0, FINDINGS_KEPT).map(asReason)
  if (!first) return undefined
  const reason = { ...first, ...(count > 1 && { more: count - 1, others }) }
  return { reason, sentence: findingSentences(reason, 'en-US')!, alone: true }
}

const asReason = ({ code, facts, record, columns }: Finding) => ({ key: code, facts, place: { record, columns } })

/** The findings of a refused remittance in a language, the first included; none for any other job. */
export function findingsIn(locale: 'en-US' | 'pt-BR', error_reason: string | null): readonly string[] {
  if (error_reason === null) return []
  const { more: _, others = [], ...first } = JSON.parse(error_reason) as JobReason
  return [first, ...others].flatMap((reason) => findingSentences(reason, locale) ?? [])
}

/** What the signature engine refused. */
export function reasonOfEngine(error: {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>> | undefined
}): ToldReason {
  const facts = Object.fromEntries(Object.entries(error.details ?? {}).filter(isFact))
  return { reason: { key: error.code, facts }, sentence: error.message, alone: false }
}

/** The same where readers of other languages can be told; else its English sentence. */
export const toldByEngine = (error: Parameters<typeof reasonOfEngine>[0]): ToldReason | string =>
  Object.hasOwn(engineSentences, error.code) ? reasonOfEngine(error) : error.message

/** A sentence of this service. */
export function reasonOf(key: DetailKey, facts: ReasonFacts = {}): ToldReason {
  const text = detailTexts[key]
  return { reason: { key, facts }, sentence: filled('en-US', text['en-US'], facts), alone: 'alone' in text }
}

/** What failures are counted and retried by: the code, and what is behind it where that is known. */
export const causeOf = (code: RecordedCode, reason: JobReason | undefined): string =>
  reason === undefined || code.endsWith(`.${reason.key}`) ? code : `${code}/${reason.key}`

interface Failure {
  readonly error_code: string | null
  readonly error_message: string | null
  /** JSON of a `JobReason`. */
  readonly error_reason: string | null
}

/** The error of a job in a language. */
export function errorMessageIn(
  locale: 'en-US' | 'pt-BR',
  { error_code, error_message, error_reason }: Failure,
): string | null {
  if (error_message === null) return null
  return failureIn(locale, {
    code: error_code,
    error: error_message,
    ...(error_reason !== null && { reason: JSON.parse(error_reason) as JobReason }),
  })
}

/** Why something failed, as it is stored inside other sentences. */
export interface ToldFailure {
  readonly code: string | null
  /** In English. */
  readonly error: string
  readonly reason?: JobReason | undefined
}

/** A failure in a language. What was recorded without a reason keeps its words behind the code's sentence. */
export function failureIn(locale: 'en-US' | 'pt-BR', { code: recorded, error, reason }: ToldFailure): string {
  if (locale === 'en-US') return error
  const code = codeSentences[recorded as RecordedCode]
  return (reason && inPortuguese(reason, code?.['pt-BR'])) ?? withCodeTranslated(error, code)
}

/** The sentence of a hold in a language. */
export function heldMessageIn(
  locale: 'en-US' | 'pt-BR',
  { code, message, told }: { readonly code: string; readonly message: string; readonly told: JobReason | undefined },
): string {
  return failureIn(locale, { code, error: message, reason: told })
}

function inPortuguese(reason: JobReason, lead: string | undefined): string | undefined {
  const finding = findingSentences(reason, 'pt-BR')
  if (finding !== undefined) return finding
  const detail = Object.hasOwn(detailTexts, reason.key) ? detailTexts[reason.key as DetailKey] : undefined
  const template = detail?.['pt-BR'] ?? engineSentences[reason.key]
  if (template === undefined) return undefined
  const sentence = filled('pt-BR', template, reason.facts)
  return lead === undefined || (detail && 'alone' in detail) ? sentence : `${lead} ${sentence}`
}

function withCodeTranslated(message: string, code: (typeof codeSentences)[RecordedCode] | undefined): string {
  return code && message.startsWith(code['en-US']) ? code['pt-BR'] + message.slice(code['en-US'].length) : message
}

function findingSentences({ key, facts, place, more }: JobReason, locale: 'en-US' | 'pt-BR'): string | undefined {
  if (!place || !Object.hasOwn(findingTexts, key)) return undefined
  const sentence = findingWithPlace({ code: key as FindingCode, facts: facts as Finding['facts'], ...place }, locale)
  return more === undefined ? sentence : `${sentence} ${filled(locale, moreTexts[locale], { more })}`
}

const filled = (locale: 'en-US' | 'pt-BR', template: string, facts: ReasonFacts): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name] ?? ''
    return typeof fact === 'object' ? fact[locale] : String(fact)
  })

const isFact = (entry: readonly [string, unknown]): entry is [string, string | number] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number'
