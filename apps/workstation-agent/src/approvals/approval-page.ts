// The page on which a holder approves a signature: who asks, for what, and with which certificate.
import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate } from '@chancela/service-kernel/i18n'
import { holderOf } from '@chancela/signature-engine/x509'
import { askerFacts, factList, outcomePage, overPage, page } from '../prompt/page-frame.ts'
import { isLocked, type PinTrouble, pinField, warnings } from '../prompt/pin-field.ts'
import type { PromptView } from '../prompt/prompt-view.ts'
import { type PromptLanguage, promptTexts, type Say } from '../prompt/texts.ts'
import { type ApprovalChoice, type ApprovalPrompt, isExpired } from './approval-prompt.ts'

interface PageState extends PinTrouble {
  /** The certificate whose PIN was typed last; the first one otherwise. */
  readonly choice: ApprovalChoice
}

export function approvalView(prompt: ApprovalPrompt): PromptView {
  const asked = async (language: PromptLanguage, choice = prompt.choices[0]!) =>
    approvalPage(prompt, { choice, pinState: await choice.source.pinState() }, language)

  async function take(form: URLSearchParams, language: PromptLanguage): Promise<string> {
    if (form.get('action') === 'decline') {
      prompt.decline()
      return outcomePage('declined', language)
    }
    const choice = prompt.choices[Number(form.get('choice') ?? 0)] ?? prompt.choices[0]!
    const pin = form.get('pin') ?? ''
    if (pin === '') return asked(language, choice)
    const refused = await prompt.attempt(choice, pin, form.get('finalTry') === 'yes')
    if (refused === 'over') return overPage(prompt.signal, language)
    if (refused === 'approved') return outcomePage(refused, language)
    return approvalPage(prompt, { choice, refused, pinState: await choice.source.pinState() }, language)
  }

  return { signal: prompt.signal, page: asked, take }
}

/** The question in a sentence. */
export const asks = ({ question: { kind, site, documents } }: ApprovalPrompt, say: Say): string =>
  kind === 'test' ? say('approve-test-asks', { site }) : say('approve-asks', { site, count: documents.length })

function approvalPage(prompt: ApprovalPrompt, state: PageState, language: PromptLanguage): string {
  const say = promptTexts.translator(language)
  const { kind, code } = prompt.question
  const title = say(kind === 'test' ? 'approve-test-title' : 'approve-title')
  const body = `
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(asks(prompt, say))}</p>
<p>${escapeHtml(say('approve-code'))}</p>
<p class="code">${escapeHtml(code)}</p>
${documentList(prompt, say)}
${facts(prompt, say, language)}
${warnings(state, say)}
<form method="post" autocomplete="off">
${choices(prompt, state.choice, say, language)}
${isLocked(state) ? '' : pinField(state, say, say('approve-stays'))}
<div class="buttons">
${isLocked(state) ? '' : `<button name="action" value="continue">${escapeHtml(say(kind))}</button>`}
<button name="action" value="decline" formnovalidate>${escapeHtml(say('decline'))}</button>
</div>
</form>`
  return page(title, body, language, prompt.question.house)
}

function documentList({ question: { documents } }: ApprovalPrompt, say: Say): string {
  if (documents.length === 0) return ''
  const items = documents.map((name) => `<li>${escapeHtml(name)}</li>`).join('')
  return `<section aria-label="${escapeHtml(say('documents'))}"><ol>${items}</ol></section>`
}

function facts({ question, until, server }: ApprovalPrompt, say: Say, language: PromptLanguage): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return factList([
    [say('site'), question.site],
    ...(question.requester === undefined ? [] : [[say('requester'), question.requester] as const]),
    ...askerFacts(question, server, say),
    [say('until'), formatDate(until, language, timeZone)],
  ])
}

function choices({ choices: all, now }: ApprovalPrompt, chosen: ApprovalChoice, say: Say, language: PromptLanguage) {
  const radios = all.map((choice, index) => {
    const checked = choice.certificate === chosen.certificate ? ' checked' : ''
    const name = escapeHtml(choiceName(choice, now(), say, language))
    return `<label><input type="radio" name="choice" value="${index}"${checked}> ${name}</label>`
  })
  return `<fieldset><legend>${escapeHtml(say('certificate'))}</legend>${radios.join('')}</fieldset>`
}

/** A certificate, as a holder tells it from others. */
export function choiceName(
  { certificate, source }: ApprovalChoice,
  now: Date,
  say: Say,
  language: PromptLanguage,
): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeZone }).format(certificate.notAfter)
  const validity = say(isExpired(certificate, now) ? 'certificate-expired' : 'certificate-valid', { date })
  return `${holderOf(certificate).name} · ${source.name} · ${validity}`
}
