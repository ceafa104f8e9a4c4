import type { Clock } from '@chancela/service-kernel/clock'
import type { AgentMessage } from '@chancela/session-server/channel'
import type { Withdrawal } from '../prompt/end-reason.ts'
import type { Screen } from '../prompt/screen.ts'
import type { Terminal } from '../prompt/terminal.ts'
import type { PromptLanguage } from '../prompt/texts.ts'
import type { KeySources } from '../sources/key-sources.ts'
import { approvalView } from './approval-page.ts'
import { ApprovalPrompt, type ApprovalQuestion, type ApprovalResult } from './approval-prompt.ts'
import { approveAtTerminal } from './approval-terminal.ts'
import type { ApprovedKeys } from './approved-keys.ts'

/** Requests open at once; more would flood the holder with windows. */
const MAX_PROMPTS = 3

export interface ApprovalOptions {
  readonly clock: Clock
  readonly screen: Screen
  /** Address of the enrolled server. */
  readonly server: string
  readonly approved: ApprovedKeys
  readonly log: (sentence: string) => void
}

/** Where the page of a request goes instead of a new window. */
type Waiting = (address: string | undefined) => void

/** Asks the holder to approve signatures. */
export class ApprovalPrompts {
  readonly #sources: KeySources
  readonly #options: ApprovalOptions
  readonly #open = new Map<string, ApprovalPrompt>()
  /** Pages on which a code was typed, by the code: they lead on to the request. */
  readonly #waiting = new Map<string, Waiting>()

  constructor(sources: KeySources, options: ApprovalOptions) {
    this.#sources = sources
    this.#options = options
  }

  /** Asks, and takes the key into use where the holder approves. */
  async answer(question: ApprovalQuestion): Promise<AgentMessage> {
    const { id: to, site } = question
    const { missing } = this.#sources
    if (missing) {
      this.#lead(question.code)?.(undefined)
      this.#options.log(`${site} asks for a signature, and no certificate is here.`)
      return { type: 'approved', to, result: 'missing', missing }
    }
    const result = await this.#ask(question)
    this.#options.log(outcomes[result.result])
    if (result.result !== 'approved') return { type: 'approved', to, result: result.result }
    const { choice, hadPin } = result
    this.#options.approved.add(question, choice, hadPin)
    const chain = choice.chain.slice(0, 8).map(({ der }) => der.toString('base64'))
    return { type: 'approved', to, result: 'approved', der: choice.certificate.der.toString('base64'), chain }
  }

  /** The address of the request that a code leads to; undefined where no certificate is here. */
  leadTo(code: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(code, resolve)
      signal.addEventListener('abort', () => this.#waiting.delete(code) && reject(signal.reason), { once: true })
    })
  }

  /** The server no longer waits for the answer. */
  takeBack(id: string): void {
    this.#open.get(id)?.notShown('taken-back')
  }

  takeBackAll(why: Withdrawal): void {
    for (const prompt of this.#open.values()) prompt.notShown(why)
  }

  async #ask(question: ApprovalQuestion): Promise<ApprovalResult> {
    if (this.#open.size >= MAX_PROMPTS) return { result: 'not-shown' }
    const prompt = new ApprovalPrompt(question, this.#sources.all, this.#options)
    this.#open.set(question.id, prompt)
    this.#options.log(`${question.site} asks for the approval of a signature, with the code ${question.code}.`)
    this.#show(prompt).catch(() => prompt.notShown('taken-back'))
    try {
      return await prompt.done
    } finally {
      this.#open.delete(question.id)
    }
  }

  async #show(prompt: ApprovalPrompt): Promise<void> {
    const { screen } = this.#options
    const lead = this.#lead(prompt.question.code)
    if (lead) return lead(await screen.addressOf(approvalView(prompt)))
    const atTerminal = (terminal: Terminal, language: PromptLanguage) => approveAtTerminal(prompt, terminal, language)
    if (!(await screen.show(approvalView(prompt), atTerminal))) prompt.notShown('taken-back')
  }

  #lead(code: string): Waiting | undefined {
    const waiting = this.#waiting.get(code)
    this.#waiting.delete(code)
    return waiting
  }
}

const outcomes: Readonly<Record<ApprovalResult['result'], string>> = {
  approved: 'The holder approved.',
  declined: 'The holder declined.',
  'timed-out': 'Nobody answered in time.',
  'not-shown': 'The holder was not asked, or the question was taken back.',
}
