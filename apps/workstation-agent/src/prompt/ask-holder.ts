import type { Clock } from '@chancela/service-kernel/clock'
import { negotiate } from '@chancela/service-kernel/i18n'
import type { KeySources } from '../sources/key-sources.ts'
import type { OpenBrowser } from './open-browser.ts'
import { Prompt, type PromptResult, type Question } from './prompt.ts'
import { PromptServer } from './prompt-server.ts'
import { askAtTerminal, type Terminal } from './terminal.ts'
import { type PromptLanguage, promptTexts } from './texts.ts'

/** Prompts open at once; more would flood the holder with windows. */
const MAX_PROMPTS = 3

export interface AskingOptions {
  readonly clock: Clock
  readonly openBrowser: OpenBrowser
  /** Asked when no browser can be opened. */
  readonly terminal: Terminal | undefined
  readonly log: (sentence: string) => void
  /** As in the environment: `pt_BR.UTF-8`. For the terminal; a browser sends its own. */
  readonly language: string | undefined
}

/** Asks the holder for the PIN: on a page in the desktop's browser, or at the terminal. */
export class HolderPrompt {
  readonly #sources: KeySources
  readonly #options: AskingOptions
  readonly #server = new PromptServer()
  readonly #open = new Map<string, Prompt>()
  /** A terminal shows one question at a time. */
  #terminalTurn: Promise<void> = Promise.resolve()

  constructor(sources: KeySources, options: AskingOptions) {
    this.#sources = sources
    this.#options = options
  }

  async ask(question: Question): Promise<PromptResult> {
    const holding = this.#sources.holding(question.fingerprints)
    if (holding.length === 0 || this.#open.size >= MAX_PROMPTS) return { result: 'not-shown' }
    const prompt = new Prompt(question, holding, this.#options.clock())
    this.#open.set(question.id, prompt)
    this.#options.log(`${question.application} asks for the PIN of ${holding.map(({ name }) => name).join(', ')}.`)
    void this.#show(prompt).catch(() => prompt.notShown())
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
    this.#open.get(id)?.notShown()
  }

  takeBackAll(): void {
    for (const prompt of this.#open.values()) prompt.notShown()
  }

  async #show(prompt: Prompt): Promise<void> {
    const { openBrowser, terminal, language } = this.#options
    if (await openBrowser(await this.#server.show(prompt))) return
    if (!terminal) return prompt.notShown()
    const turn = this.#terminalTurn.then(() =>
      prompt.signal.aborted ? undefined : askAtTerminal(prompt, terminal, languageOf(language)),
    )
    this.#terminalTurn = turn.catch(() => {})
    return turn
  }
}

const outcomes: Readonly<Record<PromptResult['result'], string>> = {
  confirmed: 'The PIN was given.',
  differs: 'The PIN was given; the application gave another and was refused.',
  declined: 'The holder declined.',
  'timed-out': 'Nobody answered in time.',
  'not-shown': 'The holder was not asked, or the question was taken back.',
}

const languageOf = (text = ''): PromptLanguage =>
  negotiate(text.split('.')[0]!.replace('_', '-'), promptTexts.languages, 'pt-BR')
