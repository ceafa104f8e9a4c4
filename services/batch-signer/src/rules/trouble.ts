import { JobFailure } from './job-failure.ts'
import { heldMessageIn, type JobReason, type ReasonFacts, reasonOf } from './job-reason.ts'
import type { DetailKey } from './reason-texts.ts'
import { type Said, saidFailure } from './sentences.ts'

/** Why nothing is taken from a folder, or the pipeline waits. */
export interface Trouble {
  /** One sentence in English, the language of the log. */
  readonly message: string
  /** What it says, for readers of other languages. */
  readonly told: JobReason | undefined
  readonly code?: string
}

export function troubleOf(key: DetailKey, facts: ReasonFacts = {}): Trouble {
  const { sentence, reason } = reasonOf(key, facts)
  return { message: sentence, told: reason }
}

/** What others say in English only is in the log; readers of other languages are sent there. */
export function troubleOfError(error: Error): Trouble {
  if (error instanceof JobFailure) return { message: error.message, code: error.code, told: error.reason }
  return { message: error.message, told: reasonOf('unexpected').reason }
}

export const troubleIn = (locale: 'en-US' | 'pt-BR', { message, told, code = '' }: Trouble): string =>
  heldMessageIn(locale, { code, message, told })

/** Inside another sentence. */
export const saidTrouble = ({ message, told, code = '' }: Trouble): Said =>
  saidFailure({ code, error: message, reason: told })
