// The page of a prompt. It runs no script, loads nothing, and posts its form only to itself.

import { createHash } from 'node:crypto'
import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate } from '@chancela/service-kernel/i18n'
import { formattedCpf, holderOf } from '@chancela/signature-engine/x509'
import type { PinState, Refused } from '../sources/source.ts'
import type { Choice, Prompt } from './prompt.ts'
import { type PromptLanguage, promptTexts, type Say } from './texts.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(32rem, 100vw); padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; margin: .75rem 0; }
input[type=password] { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; }
fieldset { border: 1px solid GrayText; border-radius: .25rem; }
[role=alert] { border-left: .25rem solid #c62828; padding: .25rem .75rem; }
.buttons { display: flex; gap: .75rem; margin-top: 1rem; flex-wrap: wrap; }
button { font: inherit; padding: .5rem 1.25rem; cursor: pointer; }
small { opacity: .75; }
`

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** Headers of every response: only the page itself may run, and no one may frame it, cache it or learn its address. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  connection: 'close',
} as const

export interface PageState {
  /** The certificate whose PIN was typed last; the first one otherwise. */
  readonly choice: Choice
  readonly pinState: PinState
  readonly refused?: Refused | undefined
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
${isLocked(state) ? '' : pinField(state, say)}
<div class="buttons">
${isLocked(state) ? '' : `<button name="action" value="continue">${escapeHtml(say('continue'))}</button>`}
<button name="action" value="decline" formnovalidate>${escapeHtml(say('decline'))}</button>
</div>
</form>`
  return page(say('title'), body, language)
}

type Outcome = 'accepted' | 'declined' | 'over'

/** The final result. */
export function outcomePage(outcome: Outcome, language: PromptLanguage): string {
  const say = promptTexts.translator(language)
  const more = outcome === 'accepted' ? say('accepted-more') : say('close')
  return page(say(outcome), `<h1>${escapeHtml(say(outcome))}</h1><p>${escapeHtml(more)}</p>`, language)
}

const page = (title: string, body: string, language: PromptLanguage): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${body}</main></body>
</html>
`

function facts(
  { question, until }: Prompt,
  { source, certificate }: Choice,
  say: Say,
  language: PromptLanguage,
): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const rows = [
    [say('application'), question.application],
    [say('holder'), holderOf(certificate).name],
    [say('cpf'), formattedCpf(question.cpf)],
    [say('place'), source.name],
    [say('until'), formatDate(until, language, timeZone)],
  ] as const
  return `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
}

/** What was wrong, and what the token says of its PIN; each thing once. */
function warnings({ refused, pinState }: PageState, say: Say): string {
  const sentences = [
    ...(refused ? [refused.kind === 'failed' ? say('failed', { reason: refused.reason }) : say(refused.kind)] : []),
    ...(pinState === 'fine' ? [] : [say(pinState)]),
  ]
  return [...new Set(sentences)].map((sentence) => `<p role="alert">${escapeHtml(sentence)}</p>`).join('\n')
}

const isLocked = ({ pinState, refused }: PageState): boolean => pinState === 'locked' || refused?.kind === 'locked'

function choices({ choices: all }: Prompt, chosen: Choice, say: Say): string {
  if (all.length === 1) return ''
  const radios = all.map(({ source, certificate }, index) => {
    const checked = source === chosen.source ? ' checked' : ''
    const name = escapeHtml(`${holderOf(certificate).name} · ${source.name}`)
    return `<label><input type="radio" name="source" value="${index}"${checked}> ${name}</label>`
  })
  return `<fieldset><legend>${escapeHtml(say('certificate'))}</legend>${radios.join('')}</fieldset>`
}

const pinField = ({ pinState }: PageState, say: Say): string => `
<label>${escapeHtml(say('pin'))} <input type="password" name="pin" required autofocus autocomplete="off" maxlength="256"></label>
${pinState === 'final-try' ? `<label><input type="checkbox" name="finalTry" value="yes" required> ${escapeHtml(say('final-try-yes'))}</label>` : ''}
<small>${escapeHtml(say('stays'))}</small>`
