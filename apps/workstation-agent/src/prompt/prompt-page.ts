import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate } from '@chancela/service-kernel/i18n'
import { formattedCpf, holderOf } from '@chancela/signature-engine/x509'
import { askerFacts, factList, page } from './page-frame.ts'
import { isLocked, type PinTrouble, pinField, warnings } from './pin-field.ts'
import type { Choice, Prompt } from './prompt.ts'
import { sessionTerms } from './session-terms.ts'
import { type PromptLanguage, promptTexts, type Say } from './texts.ts'

export interface PageState extends PinTrouble {
  /** The certificate whose PIN was typed last; the first one otherwise. */
  readonly choice: Choice
}

/** The prompt, with the result of the last attempt. */
export function promptPage(prompt: Prompt, state: PageState, language: PromptLanguage): string {
  const say = promptTexts.translator(language)
  const { application } = prompt.question
  const body = `
<h1>${escapeHtml(say('title'))}</h1>
<p>${escapeHtml(say('asks', { application }))}</p>
${facts(prompt, state.choice, say, language)}
${warnings(state, say)}
<form method="post" autocomplete="off">
${choices(prompt, state.choice, say)}
${isLocked(state) ? '' : pinField(state, say, say('stays'))}
<div class="buttons">
${isLocked(state) ? '' : `<button name="action" value="continue">${escapeHtml(say('continue'))}</button>`}
<button name="action" value="decline" formnovalidate>${escapeHtml(say('decline'))}</button>
</div>
</form>`
  return page(say('title'), body, language, prompt.question.house)
}

function facts(
  { question, until, server }: Prompt,
  { source, certificate }: Choice,
  say: Say,
  language: PromptLanguage,
): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return factList([
    ...askerFacts(question, server, say),
    ...sessionTerms(question, say, language),
    [say('holder'), holderOf(certificate).name],
    [say('cpf'), formattedCpf(question.cpf)],
    [say('place'), source.name],
    [say('until'), formatDate(until, language, timeZone)],
  ])
}

function choices({ choices: all }: Prompt, chosen: Choice, say: Say): string {
  if (all.length === 1) return ''
  const radios = all.map(({ source, certificate }, index) => {
    const checked = source === chosen.source ? ' checked' : ''
    const name = escapeHtml(`${holderOf(certificate).name} · ${source.name}`)
    return `<label><input type="radio" name="source" value="${index}"${checked}> ${name}</label>`
  })
  return `<fieldset><legend>${escapeHtml(say('certificate'))}</legend>${radios.join('')}</fieldset>`
}
