// What all pages of the agent have in common. They run no script, load nothing, and post their form only to themselves.

import { createHash } from 'node:crypto'
import { escapeHtml } from '@chancela/service-kernel/http'
import { endReasonOf } from './end-reason.ts'
import { seal } from './seal.ts'
import { type PromptLanguage, promptTexts, type Say } from './texts.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(32rem, 100vw); padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; margin: .75rem 0; }
input[type=password], input[type=text] { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; }
fieldset { border: 1px solid GrayText; border-radius: .25rem; }
[role=alert] { border-left: .25rem solid #c62828; padding: .25rem .75rem; }
.buttons { display: flex; align-items: center; gap: .75rem; margin-top: 1rem; flex-wrap: wrap; }
button { font: inherit; padding: .5rem 1.25rem; cursor: pointer; }
ol { margin: .5rem 0; padding-inline-start: 1.5rem; max-height: 14rem; overflow-y: auto; }
li { overflow-wrap: anywhere; }
.code { font: 600 1.6rem/1.2 ui-monospace, monospace; letter-spacing: .1em; margin: .25rem 0; }
h2 { font-size: 1.1rem; margin: 1.25rem 0 .25rem; }
ul { margin: .5rem 0; padding-inline-start: 1.25rem; }
pre { font: .85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
small { opacity: .75; }
.brand { display: flex; gap: .75rem; align-items: center; margin-bottom: 1.25rem; }
.brand span { display: block; opacity: .75; overflow-wrap: anywhere; }
.brand svg { flex: none; }
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

type Outcome = 'accepted' | 'approved' | 'declined'

/** The final result. */
export function outcomePage(outcome: Outcome, language: PromptLanguage): string {
  const say = promptTexts.translator(language)
  const more = outcome === 'accepted' || outcome === 'approved' ? say(`${outcome}-more`) : say('close')
  return page(say(outcome), `<h1>${escapeHtml(say(outcome))}</h1><p>${escapeHtml(more)}</p>`, language)
}

/** The text that says why a question is over. */
export function overTextOf(signal: AbortSignal | undefined) {
  const reason = signal && endReasonOf(signal)
  return reason ? (`over-${reason}` as const) : 'over'
}

/** What a page says whose question is over. */
export function overPage(signal: AbortSignal | undefined, language: PromptLanguage): string {
  const say = promptTexts.translator(language)
  const title = say(overTextOf(signal))
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(say('close'))}</p>`, language)
}

export const PRODUCT = 'Chancela'

/** The product, and the house that uses it. */
const brand = (house: string | undefined): string =>
  `<header class="brand">${seal}<div><strong>${PRODUCT}</strong>${house === undefined ? '' : `<span>${escapeHtml(house)}</span>`}</div></header>`

type Fact = readonly [string, string]

interface Asker {
  readonly application: string
  readonly house?: string | undefined
}

/** Who asks. The server is the enrolled one: authenticated, whatever else is claimed. */
export const askerFacts = ({ application, house }: Asker, server: string, say: Say): readonly Fact[] => [
  [say('application'), application],
  ...(house === undefined ? [] : ([[say('house'), house]] as const)),
  [say('server'), new URL(server).host],
]

/** A list of names and values. */
export const factList = (rows: readonly Fact[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`

/** A whole page. */
export const page = (title: string, body: string, language: PromptLanguage, house?: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${brand(house)}${body}</main></body>
</html>
`
