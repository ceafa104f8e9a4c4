import { MINUTE } from '@chancela/service-kernel/clock'
import { negotiate } from '@chancela/service-kernel/i18n'
import type { OpenBrowser } from './open-browser.ts'
import { PromptServer } from './prompt-server.ts'
import type { PromptView } from './prompt-view.ts'
import type { Terminal } from './terminal.ts'
import { type PromptLanguage, promptTexts } from './texts.ts'

export interface ScreenOptions {
  readonly openBrowser: OpenBrowser
  /** Used when no browser can be opened. */
  readonly terminal: Terminal | undefined
  /** As in the environment: `pt_BR.UTF-8`. For the terminal; a browser sends its own. */
  readonly language: string | undefined
  /** How long a page says that its question is over; default a minute. */
  readonly lingerMilliseconds?: number | undefined
}

/** Where a holder is asked: on a page in the desktop's browser, or at the terminal. */
export class Screen {
  readonly #options: ScreenOptions
  readonly #server: PromptServer
  /** A terminal shows one question at a time. */
  #terminalTurn: Promise<void> = Promise.resolve()

  constructor(options: ScreenOptions) {
    this.#options = options
    this.#server = new PromptServer(options.lingerMilliseconds ?? MINUTE)
  }

  /** Nothing is shown any more. */
  close(): void {
    this.#server.close()
  }

  /** The address of a question that a page leads to by itself. */
  addressOf(view: PromptView): Promise<string> {
    return this.#server.show(view)
  }

  /** Shows a question; resolves with whether that was possible. At a terminal, when it was answered. */
  async show(
    view: PromptView,
    atTerminal?: (terminal: Terminal, language: PromptLanguage) => Promise<void>,
  ): Promise<boolean> {
    const { openBrowser, terminal, language } = this.#options
    if (await openBrowser(await this.#server.show(view))) return true
    if (!terminal || !atTerminal) return false
    const turn = this.#terminalTurn.then(async () => {
      if (!view.signal.aborted) await atTerminal(terminal, languageOf(language))
    })
    this.#terminalTurn = turn.catch(() => {})
    await turn
    return true
  }
}

const languageOf = (text = ''): PromptLanguage =>
  negotiate(text.split('.')[0]!.replace('_', '-'), promptTexts.languages, 'pt-BR')
