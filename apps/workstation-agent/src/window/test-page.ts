import { escapeHtml } from '@chancela/service-kernel/http'
import { holderOf } from '@chancela/signature-engine/x509'
import { choiceName } from '../approvals/approval-page.ts'
import { type ApprovalChoice, choicesIn } from '../approvals/approval-prompt.ts'
import type { ApprovedKeys } from '../approvals/approved-keys.ts'
import { page } from '../prompt/page-frame.ts'
import { isLocked, type PinTrouble, pinField, warnings } from '../prompt/pin-field.ts'
import { type PromptLanguage, promptTexts } from '../prompt/texts.ts'
import type { KeySources } from '../sources/key-sources.ts'
import { withoutCpfs } from './journal.ts'
import { signTest, type TestOutcome } from './sign-test.ts'
import { TOKEN_FIELD, type WindowRequest } from './window-server.ts'
import { windowTexts } from './window-texts.ts'

interface Testing {
  readonly sources: KeySources
  readonly approved: ApprovedKeys
  readonly now: Date
}

/** The form for a test, or what came of it. */
export async function testPage({ sources, approved, now }: Testing, request: WindowRequest): Promise<string> {
  const choices = choicesIn(sources.all, undefined, now)
  const { form } = request
  const choice = choices[Number(form?.get('choice') ?? 0)] ?? choices[0]
  const pin = form?.get('pin') ?? ''
  if (!choice) return nothingPage(sources, request)
  const asked = { choices, choice, now, request }
  if (pin === '') return formPage({ ...asked, trouble: { pinState: await choice.source.pinState() } })
  const outcome = await signTest(approved, choice, pin, form?.get('finalTry') === 'yes')
  if (outcome.kind === 'signed' || outcome.kind === 'not-of-certificate')
    return outcomePage(outcome, choice, request.language)
  return formPage({ ...asked, trouble: { refused: outcome, pinState: await choice.source.pinState() } })
}

interface Asked {
  readonly choices: readonly ApprovalChoice[]
  readonly choice: ApprovalChoice
  readonly now: Date
  readonly request: WindowRequest
  readonly trouble: PinTrouble
}

function formPage({ choices, choice, now, request: { language, token }, trouble }: Asked): string {
  const [say, sayWindow] = [promptTexts.translator(language), windowTexts.translator(language)]
  const radios = choices.map((each, index) => {
    const checked = each === choice ? ' checked' : ''
    const name = escapeHtml(withoutCpfs(choiceName(each, now, say, language)))
    return `<label><input type="radio" name="choice" value="${index}"${checked}> ${name}</label>`
  })
  const isOver = isLocked(trouble)
  const body = `
<p>${escapeHtml(sayWindow('test-hint'))}</p>
${warnings(trouble, say)}
<form method="post" autocomplete="off">
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
<fieldset><legend>${escapeHtml(say('certificate'))}</legend>${radios.join('')}</fieldset>
${isOver ? '' : pinField(trouble, say, sayWindow('test-stays'))}
<div class="buttons">
${isOver ? '' : `<button>${escapeHtml(say('test'))}</button>`}
${backLink(language)}
</div>
</form>`
  return framed(sayWindow('test-link'), body, language)
}

function outcomePage(
  outcome: Extract<TestOutcome, { kind: 'signed' | 'not-of-certificate' }>,
  { certificate }: ApprovalChoice,
  language: PromptLanguage,
): string {
  const say = windowTexts.translator(language)
  if (outcome.kind !== 'signed')
    return framed(say('test-link'), alert(say(outcome.kind)) + backLink(language), language)
  const sentences = [
    say('test-verified', { name: withoutCpfs(holderOf(certificate).name) }),
    say(outcome.keepsPin ? 'pin-kept' : 'pin-forgotten'),
  ]
  return framed(
    say('test-signed'),
    `<p role="status">${escapeHtml(sentences.join(' '))}</p>${backLink(language)}`,
    language,
  )
}

function nothingPage({ missing }: KeySources, { language }: WindowRequest): string {
  const say = windowTexts.translator(language)
  return framed(say('test-link'), alert(say(`missing-${missing ?? 'token'}`)) + backLink(language), language)
}

const alert = (sentence: string): string => `<p role="alert">${escapeHtml(sentence)}</p>`

export const backLink = (language: PromptLanguage): string =>
  `<a href="/">${escapeHtml(windowTexts.translator(language)('back'))}</a>`

const framed = (title: string, body: string, language: PromptLanguage): string =>
  page(title, `<h1>${escapeHtml(title)}</h1>${body}`, language)
