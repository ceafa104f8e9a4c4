import { escapeHtml } from '@chancela/service-kernel/http'
import { AgentProblem } from '../agent-problem.ts'
import type { AgentHome } from '../home.ts'
import { page } from '../prompt/page-frame.ts'
import type { PromptLanguage } from '../prompt/texts.ts'
import { packageFor } from '../update/offer.ts'
import { offerIn, update, waitingUpdate } from '../update/update.ts'
import { windowTexts } from './window-texts.ts'

/** A newer version, and why it is not installed from here. */
export interface UpdateOffer {
  readonly version: string
  readonly hindrance: 'sources' | 'elsewhere' | undefined
}

export function updateOffer(home: AgentHome, executable: string | undefined): UpdateOffer | undefined {
  const offer = offerIn(home)
  if (!offer || waitingUpdate(home) === offer.version) return undefined
  const hindrance = executable === undefined ? 'sources' : packageFor(offer) ? undefined : 'elsewhere'
  return { version: offer.version, hindrance }
}

/** Installs it, and says what came of it. */
export async function updatePage(
  home: AgentHome,
  executable: string | undefined,
  language: PromptLanguage,
): Promise<string> {
  const say = windowTexts.translator(language)
  const back = `<p><a href="/">${escapeHtml(say('back'))}</a></p>`
  try {
    const version = await update(home, executable)
    const done = say('update-done', { version })
    return page(
      say('update-title'),
      `<h1>${escapeHtml(say('update-title'))}</h1><p role="status">${escapeHtml(done)}</p>${back}`,
      language,
    )
  } catch (error) {
    if (!(error instanceof AgentProblem)) throw error
    const title = say('update-failed')
    const why = `<p role="alert" lang="en">${escapeHtml(error.message)}</p>`
    return page(title, `<h1>${escapeHtml(title)}</h1>${why}${back}`, language)
  }
}
