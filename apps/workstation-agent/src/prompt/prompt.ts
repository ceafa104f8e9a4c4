import type { Certificate } from '@chancela/signature-engine/x509'
import type { Refused, Source } from '../sources/source.ts'
import type { EndReason, Withdrawal } from './end-reason.ts'

/** What the server asks. */
export interface Question {
  readonly id: string
  readonly fingerprints: readonly string[]
  /** The PIN a client gave. It is only compared with what the holder types. */
  readonly pin: string
  readonly cpf: string
  /** Name of the client application. */
  readonly application: string
  readonly seconds: number
  /** Name of the house whose server asks. */
  readonly house?: string
  /** Seconds without a signature after which the session ends. */
  readonly sessionSeconds?: number
  /** Signing requests after which it ends; no limit when absent. */
  readonly allowance?: number
}

export type PromptResult =
  | { readonly result: 'confirmed'; readonly fingerprint: string }
  | { readonly result: 'differs' | 'declined' | 'timed-out' | 'not-shown' }

/** A certificate the holder may give the PIN for. */
export interface Choice {
  readonly source: Source
  readonly certificate: Certificate
}

/** A question to the holder, until it is answered. Pages and terminals show it; nothing else sees what is typed. */
export class Prompt {
  readonly question: Question
  readonly until: Date
  /** One for each source. */
  readonly choices: readonly Choice[]
  readonly done: Promise<PromptResult>
  /** Aborted when there is nothing to answer any more. */
  readonly signal: AbortSignal
  /** Address of the enrolled server. */
  readonly server: string
  readonly #over = new AbortController()
  readonly #timer: NodeJS.Timeout
  #settle: (result: PromptResult) => void = () => {}

  constructor(question: Question, sources: readonly Source[], now: Date, server: string) {
    this.question = question
    this.server = server
    this.until = new Date(now.getTime() + question.seconds * 1000)
    this.choices = sources.map((source) => ({ source, certificate: chosen(source, question) }))
    this.signal = this.#over.signal
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#timer = setTimeout(() => this.#end({ result: 'timed-out' }, 'timed-out'), question.seconds * 1000)
  }

  /** Tries what the holder typed at one of the sources; returns why it is not accepted. */
  async attempt({ source }: Choice, typed: string, finalTry: boolean): Promise<'accepted' | 'over' | Refused> {
    const hadPin = source.hasPin
    const refused = await source.unlock(typed, { finalTry })
    if (refused) return refused
    if (!this.signal.aborted) {
      this.conclude()
      return 'accepted'
    }
    // Too late: the server no longer waits, and a PIN that was not asked for is not kept.
    if (!hadPin) await source.lock()
    return 'over'
  }

  /** Compares the offered PIN with one in use at a source, whichever prompt it was typed at. */
  conclude(): void {
    const unlocked = this.choices.filter(({ source }) => source.hasPin)
    const same = unlocked.find(({ source }) => source.isPinInUse(this.question.pin))
    if (same) this.#end({ result: 'confirmed', fingerprint: same.certificate.fingerprint }, 'answered')
    else if (unlocked.length > 0) this.#end({ result: 'differs' }, 'answered')
  }

  decline(): void {
    this.#end({ result: 'declined' }, 'declined')
  }

  notShown(why: Withdrawal): void {
    this.#end({ result: 'not-shown' }, why)
  }

  #end(result: PromptResult, why: EndReason): void {
    clearTimeout(this.#timer)
    this.#settle(result)
    this.#over.abort(why)
  }
}

/** In the server's order: the first that the source holds. */
function chosen({ certificates }: Source, { fingerprints }: Question): Certificate {
  const held = certificates.map(({ certificate }) => certificate)
  return fingerprints.flatMap((wanted) => held.filter(({ fingerprint }) => fingerprint === wanted))[0]!
}
