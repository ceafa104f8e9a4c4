// The window in which somebody types the code that a signing page shows.
import { SECOND } from '@chancela/service-kernel/clock'
import { escapeHtml } from '@chancela/service-kernel/http'
import { readPairingCode } from '@chancela/session-server/channel'
import { page } from '../prompt/page-frame.ts'
import type { PromptView, Taken } from '../prompt/prompt-view.ts'
import { type PromptLanguage, promptTexts } from '../prompt/texts.ts'
import type { ApprovalPrompts } from './ask-approval.ts'
import type { Pairing, PairingResult } from './pairing.ts'

type Trouble = Exclude<PairingResult, 'found'> | 'no-certificate'

/** How long the request may take to follow its code. */
const FOLLOWS_WITHIN = 10 * SECOND

/** Until the signal is aborted; a code that is found leads on to its request, and ends the view. */
export function codeView(pairing: Pairing, prompts: ApprovalPrompts, until: AbortSignal): PromptView {
  const done = new AbortController()
  async function take(form: URLSearchParams, language: PromptLanguage): Promise<Taken> {
    const typed = form.get('code') ?? ''
    const found = await followed(pairing, prompts, typed)
    if (typeof found === 'string') return codePage(language, typed, found)
    done.abort()
    return found
  }
  return { signal: AbortSignal.any([until, done.signal]), page: async (language) => codePage(language), take }
}

async function followed(
  pairing: Pairing,
  prompts: ApprovalPrompts,
  typed: string,
): Promise<Trouble | { readonly location: string }> {
  const given = new AbortController()
  const inTime = AbortSignal.any([given.signal, AbortSignal.timeout(FOLLOWS_WITHIN)])
  // The request may come before the answer to the code is read.
  const led = prompts.leadTo(readPairingCode(typed) ?? typed, inTime).then(
    (location) => (location === undefined ? ('no-certificate' as const) : { location }),
    () => 'offline' as const,
  )
  const result = await pairing.pair(typed)
  if (result === 'found') return led
  given.abort()
  return result
}

function codePage(language: PromptLanguage, typed = '', trouble?: Trouble): string {
  const say = promptTexts.translator(language)
  const body = `
<h1>${escapeHtml(say('code-title'))}</h1>
<p>${escapeHtml(say('code-hint'))}</p>
${trouble ? `<p role="alert">${escapeHtml(say(`code-${trouble}`))}</p>` : ''}
<form method="post" autocomplete="off">
<label>${escapeHtml(say('code'))} <input type="text" name="code" class="code" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" value="${escapeHtml(typed)}"></label>
<div class="buttons"><button>${escapeHtml(say('continue'))}</button></div>
</form>`
  return page(say('code-title'), body, language)
}
