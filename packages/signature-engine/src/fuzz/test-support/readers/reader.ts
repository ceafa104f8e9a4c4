import type { KeyObject } from 'node:crypto'
import { EngineError } from '../../../errors/engine-error.ts'
import type { Judge } from '../../../judgement/judge-certificate.ts'
import { reportToJson } from '../../../report/json.ts'
import type { ValidationReport } from '../../../report/report.ts'
import { reportText } from '../../../report/text.ts'
import type { TimestampClient } from '../../../timestamps/timestamp-client.ts'
import type { Certificate } from '../../../x509/certificate.ts'
import type { Recording, Seed } from '../seed.ts'

/** The judges and certificates that readers use. */
export interface Judges {
  readonly recording: Recording
  readonly judge: Judge
  /** One that has only the evidence it is given. */
  readonly offline: Judge
  /** Of the demo; and the lists of all of them but the issuer of the seeds. */
  readonly authorities: readonly Certificate[]
  readonly lists: readonly Buffer[]
  readonly timestamps: TimestampClient
  readonly anchor: Certificate
  /** An authority and a holder whose evidence is requested. */
  readonly issuer: Certificate
  readonly holder: Certificate
  readonly privateKey: KeyObject
}

/** Feeds bytes to the engine the way a caller would. It may refuse; only validators return `valid`. */
export type Reader = (bytes: Buffer, seed: Seed, judges: Judges) => undefined | 'valid' | Promise<undefined | 'valid'>

/** The indication of a report, after it was rendered in every way: its names and reasons are untrusted. */
export function reported(report: ValidationReport): undefined | 'valid' {
  reportText(report, 'pt-BR')
  reportText(report, 'en-US')
  JSON.stringify(reportToJson(report))
  return verdictOf(report)
}

/** The indication of a validation. */
export const verdictOf = ({ indication }: Pick<ValidationReport, 'indication'>): undefined | 'valid' =>
  indication === 'valid' ? 'valid' : undefined

/** Runs one of several checks of the same bytes: a refusal here must not skip the others. */
export function ask(question: () => unknown): void {
  try {
    question()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
}

/** The same for an asynchronous check. */
export async function askLater(question: () => Promise<unknown>): Promise<void> {
  try {
    await question()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
}
