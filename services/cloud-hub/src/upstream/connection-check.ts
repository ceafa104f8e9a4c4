import { type CheckName, type Finding, inEnglish } from '../contract/provider-findings.ts'
import type { ProviderProblem } from './provider-problem.ts'

/** One line of the report on a provider's connection. */
export interface ConnectionCheck {
  /** What was tried. */
  readonly name: CheckName
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** The same in English, with what the network said; without secrets. */
  readonly text: string
}

export const checked = (name: CheckName, ok: boolean, findings: readonly Finding[]): ConnectionCheck => ({
  name,
  ok,
  findings,
  text: inEnglish(findings),
})

export const failed = (name: CheckName, { findings, account: text }: ProviderProblem): ConnectionCheck => ({
  name,
  ok: false,
  findings,
  text,
})
