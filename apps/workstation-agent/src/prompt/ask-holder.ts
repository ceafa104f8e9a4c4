import type { Clock } from '@chancela/service-kernel/clock'
import type { KeySources } from '../sources/key-sources.ts'
import type { Withdrawal } from './end-reason.ts'
import { pinAtTerminal } from './pin-terminal.ts'
import { pinView } from './pin-view.ts'
import { Prompt, type PromptResult, type Question } from './prompt.ts'
import type { Screen } from './screen.ts'
import type { Terminal } from './terminal.ts'
import type { PromptLanguage } from './texts.ts'

/** Prompts open at once; more would flood the holder with windows. */
const MAX_PROMPTS = 3

export interface AskingOptions {
  readonly clock: Clock
  readonly screen: Screen
  /** Address of the enrolled server. */
  readonly server: string
  readonly log: (sentence: string) => void
}

/** Asks the holder for the PIN: on a page in the desktop's browser, or at the terminal. */
export class HolderPrompt {
  readonly #sources: KeySources
  readonly #options: AskingOptions
  readonly #open = new Map<string, Prompt>()

  constructor(sources: KeySources, options: AskingOptions) {
    this.#sources = sources
    this.#options = options
  }

  async ask(question: Question): Promise<PromptResult> {
    const holding = this.#sources.holding(question.fingerprints)
    if (holding.length === 0 || this.#open.size >= MAX_PROMPTS) return { result: 'not-shown' }
    const prompt = new Prompt(question, holding, this.#options.clock(), this.#options.server)
    this.#open.set(question.id, prompt)
    this.#options.log(`${question.application} asks for the PIN of ${holding.map(({ name }) => name).join(', ')}.`)
    void this.#show(prompt).catch(() => prompt.notShown('taken-back'))
    const result = await prompt.done
    this.#open.delete(question.id)
    this.#options.log(outcomes[result.result])
    // A PIN that is now in use also answers the other prompts for it.
    if (result.result === 'confirmed' || result.result === 'differs')
      for (const other of this.#open.values()) other.conclude()
    return result
  }

  /** The server no longer waits for the answer. */
  takeBack(id: string): void {
    this.#open.get(id)?.notShown('taken-back')
  }

  takeBackAll(why: Withdrawal): void {
    for (const prompt of this.#open.values()) prompt.notShown(why)
  }

  async #show(prompt: Prompt): Promise<void> {
    const atTerminal = (terminal: Terminal, language: PromptLanguage) => pinAtTerminal(prompt, terminal, language)
    if (!(await this.#options.screen.show(pinView(prompt), atTerminal))) prompt.notShown('taken-back')
  }
}

const outcomes: Readonly<Record<PromptResult['result'], string>> = {
  confirmed: 'The PIN was given.',
  differs: 'The PIN was given; the application gave another and was refused.',
  declined: 'The holder declined.',
  'timed-out': 'Nobody answered in time.',
  'not-shown': 'The holder was not asked, or the question was taken back.',
}
