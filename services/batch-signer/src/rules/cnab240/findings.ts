import type { ReportLocale } from './entry-codes.ts'
import { type FindingCode, findingTexts } from './finding-texts.ts'
import { type Columns, columnsText } from './record-cursor.ts'

/** One thing found in a file, where, and one English sentence about it. */
export interface Finding {
  /** 1-based; null when the finding is about the whole file. */
  readonly record: number | null
  /** `18-23`, or null when the finding is about the whole record. */
  readonly columns: string | null
  readonly code: FindingCode
  readonly message: string
  /** The values in the message, so that it can be repeated in another language. */
  readonly facts: FindingFacts
}

type FindingFacts = Readonly<Record<string, string | number>>

/** Findings of one code that are listed; the rest are only counted, so that one mistake cannot hide the others. */
export const FINDINGS_PER_CODE = 20
/** Findings of one severity that are listed. */
export const FINDINGS_LISTED = 100

/** The sentence of a finding in a language. */
export const findingSentence = ({ code, facts }: Pick<Finding, 'code' | 'facts'>, locale: ReportLocale): string =>
  findingTexts[code][locale].replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ''))

/** What the rules of single banks do: nothing, a warning, or a refusal. */
export type BankRuleMode = 'Off' | 'Warn' | 'Refuse'

/** Collects findings, in file order and limited in number, for any content. */
export class Findings {
  readonly violations = new FindingList()
  readonly warnings = new FindingList()
  readonly #bankRules: BankRuleMode

  constructor(bankRules: BankRuleMode) {
    this.#bankRules = bankRules
  }

  add(code: FindingCode, record: number | null, columns: Columns | null, facts: FindingFacts = {}): void {
    this.#listFor(code)?.add(code, record, columns, facts)
  }

  get refused(): boolean {
    return this.violations.count > 0
  }

  #listFor(code: FindingCode): FindingList | undefined {
    const { severity } = findingTexts[code]
    if (severity !== 'bank-rule') return severity === 'violation' ? this.violations : this.warnings
    return { Off: undefined, Warn: this.warnings, Refuse: this.violations }[this.#bankRules]
  }
}

class FindingList {
  readonly listed: Finding[] = []
  readonly #perCode = new Map<FindingCode, number>()
  count = 0

  get cut(): boolean {
    return this.count > this.listed.length
  }

  add(code: FindingCode, record: number | null, columns: Columns | null, facts: FindingFacts): void {
    this.count++
    const ofThisCode = this.#perCode.get(code) ?? 0
    if (ofThisCode >= FINDINGS_PER_CODE || this.listed.length >= FINDINGS_LISTED) return
    this.#perCode.set(code, ofThisCode + 1)
    const shown = printable(facts)
    const message = findingSentence({ code, facts: shown }, 'en-US')
    this.listed.push({ record, columns: columns && columnsText(columns), code, message, facts: shown })
  }
}

/** File content is quoted in histories and terminals, where control characters must have no effect. */
const printable = (facts: FindingFacts): FindingFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/\p{Cc}/gu, '?') : value,
    ]),
  )
