import type { Clock } from '@chancela/service-kernel/clock'
import type { ServerMessage } from '@chancela/session-server/channel'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { EndReason, Withdrawal } from '../prompt/end-reason.ts'
import type { HeldCertificate, Refused, Source } from '../sources/source.ts'

/** What the server asks the holder to approve. */
export type ApprovalQuestion = Omit<Extract<ServerMessage, { readonly type: 'approve' }>, 'type'>

/** A certificate the holder may sign with. */
export interface ApprovalChoice extends HeldCertificate {
  readonly source: Source
}

export type ApprovalResult =
  | { readonly result: 'approved'; readonly choice: ApprovalChoice; readonly hadPin: boolean }
  | { readonly result: 'declined' | 'timed-out' | 'not-shown' }

interface Asking {
  readonly clock: Clock
  /** Address of the enrolled server. */
  readonly server: string
}

/** A request for an approval, until the holder answers it. */
export class ApprovalPrompt {
  readonly question: ApprovalQuestion
  readonly choices: readonly ApprovalChoice[]
  readonly until: Date
  readonly done: Promise<ApprovalResult>
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Address of the enrolled server. */
  readonly server: string
  readonly #over = new AbortController()
  readonly #timer: NodeJS.Timeout
  #settle: (result: ApprovalResult) => void = () => {}

  constructor(question: ApprovalQuestion, sources: readonly Source[], { clock, server }: Asking) {
    this.question = question
    this.server = server
    this.now = clock
    this.until = new Date(clock().getTime() + question.seconds * 1000)
    this.choices = choicesIn(sources, question.cpf, clock())
    this.signal = this.#over.signal
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#timer = setTimeout(() => this.#end({ result: 'timed-out' }, 'timed-out'), question.seconds * 1000)
  }

  /** Tries the PIN of a choice; returns why it is not accepted. */
  async attempt(choice: ApprovalChoice, typed: string, finalTry: boolean): Promise<'approved' | 'over' | Refused> {
    const { source } = choice
    const hadPin = source.hasPin
    const refused = await source.unlock(typed, { finalTry })
    if (refused) return refused
    if (!this.signal.aborted) {
      this.#end({ result: 'approved', choice, hadPin }, 'answered')
      return 'approved'
    }
    // Too late: nobody waits any more, and a PIN that was not asked for is not kept.
    if (!hadPin) await source.lock()
    return 'over'
  }

  decline(): void {
    this.#end({ result: 'declined' }, 'declined')
  }

  notShown(why: Withdrawal): void {
    this.#end({ result: 'not-shown' }, why)
  }

  #end(result: ApprovalResult, why: EndReason): void {
    clearTimeout(this.#timer)
    this.#settle(result)
    this.#over.abort(why)
  }
}

export const isExpired = ({ notAfter }: Certificate, now: Date): boolean => notAfter < now

/** Every certificate here; those of the person that is asked for and those that are valid come first. */
export function choicesIn(sources: readonly Source[], cpf: string | undefined, now: Date): readonly ApprovalChoice[] {
  const rank = ({ certificate }: HeldCertificate): number =>
    (isExpired(certificate, now) ? 2 : 0) + (cpf === undefined || holderOf(certificate).cpf === cpf ? 0 : 1)
  return sources
    .flatMap((source) => source.certificates.map((held) => ({ ...held, source })))
    .toSorted((a, b) => rank(a) - rank(b))
}
