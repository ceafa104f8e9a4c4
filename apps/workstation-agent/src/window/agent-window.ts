// What the agent shows of itself, on a page in the desktop's browser.
import { type Clock, SECOND } from '@chancela/service-kernel/clock'
import { escapeHtml } from '@chancela/service-kernel/http'
import type { ApprovedKeys } from '../approvals/approved-keys.ts'
import type { AgentHome, Enrolment } from '../home.ts'
import type { LinkStatus } from '../link-status.ts'
import type { OpenBrowser } from '../prompt/open-browser.ts'
import { page } from '../prompt/page-frame.ts'
import type { KeySources } from '../sources/key-sources.ts'
import { type SeenReader, seenReaders } from '../tokens/find-tokens.ts'
import { thisMachine } from '../tokens/modules.ts'
import type { Journal } from './journal.ts'
import { statePage } from './state-page.ts'
import { backLink, testPage } from './test-page.ts'
import { updateOffer, updatePage } from './update-page.ts'
import { type WindowRequest, WindowServer } from './window-server.ts'
import { windowTexts } from './window-texts.ts'

export interface WindowContext {
  readonly clock: Clock
  readonly openBrowser: OpenBrowser
  readonly home: AgentHome
  /** The program's file where it is a package. */
  readonly executable: string | undefined
  readonly enrolment: Enrolment
  readonly status: LinkStatus
  readonly sources: KeySources
  readonly approved: ApprovedKeys
  readonly journal: Journal
}

/** Lines of the journal that are shown. */
const SHOWN_LINES = 30

/** Readers are slow to ask. */
const READERS_WITHIN = 3 * SECOND

export class AgentWindow {
  readonly #context: WindowContext
  readonly #server = new WindowServer({
    pages: (request) => this.#page(request),
    refusal: (why, language) => {
      const text = windowTexts.translator(language)(why)
      // Without a session there is no page of it to go back to.
      const back = why === 'not-found' ? backLink(language) : ''
      return page(text, `<h1>${escapeHtml(text)}</h1>${back}`, language)
    },
  })
  #readers: readonly SeenReader[] = []

  constructor(context: WindowContext) {
    this.#context = context
  }

  /** Shows it; false where there is no desktop. */
  async open(): Promise<boolean> {
    return this.#context.openBrowser(await this.#server.newAddress())
  }

  close(): void {
    this.#server.close()
  }

  async #page(request: WindowRequest): Promise<string | undefined> {
    const { sources, approved, clock, home, executable } = this.#context
    if (request.path === '/test') return testPage({ sources, approved, now: clock() }, request)
    if (request.path === '/update' && request.form) return updatePage(home, executable, request.language)
    return request.path === '/' && !request.form ? this.#statePage(request) : undefined
  }

  async #statePage({ language, token }: WindowRequest): Promise<string> {
    const { clock, enrolment, status, sources, journal, home, executable } = this.#context
    await this.#lookAtReaders()
    const lacking = this.#readers.filter(({ card, isInstalled }) => card && !isInstalled)
    const update = updateOffer(home, executable)
    const lines = journal.last(SHOWN_LINES)
    return statePage({ now: clock(), enrolment, status, sources, lacking, update, token, journal: lines }, language)
  }

  /** What is known so far, where readers take longer. */
  async #lookAtReaders(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const asked = seenReaders(thisMachine).then((readers) => {
      this.#readers = readers ?? []
    })
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, READERS_WITHIN)
    })
    await Promise.race([asked, late])
    clearTimeout(timer)
  }
}
