import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate, type Language } from '@chancela/service-kernel/i18n'
import type { ReceivedMail } from '@chancela/testkit/mail'
import { htmlPage } from '../html-page.ts'
import { mailboxTexts } from './texts.ts'

/** Interval of the list's reload, so that a user who waits for a code need not reload it. */
const REFRESH_SECONDS = 3

/** The inbox as a list. */
export function listPage(mails: readonly ReceivedMail[], language: Language): string {
  const say = mailboxTexts.translator(language)
  const items = mails.map((mail) => listItem(mail, language)).join('\n')
  return htmlPage({
    language,
    title: say('title'),
    head: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
    content: `<nav><a href="/">${escapeHtml(say('home'))}</a></nav>
<h1>${escapeHtml(say('title'))}</h1>
<p>${escapeHtml(say('intro'))}</p>
${mails.length === 0 ? `<p>${escapeHtml(say('empty'))}</p>` : `<ol reversed start="${mails[0]!.number}">\n${items}\n</ol>`}`,
  })
}

const listItem = ({ number, subject, to, date, text }: ReceivedMail, language: Language): string =>
  `<li><a href="/mail/${number}">${escapeHtml(subject)}</a>
<p class="about">${escapeHtml(to.map(mailbox).join(', '))} · ${escapeHtml(moment(date, language))}</p>
<pre>${escapeHtml(text.trim())}</pre></li>`

/** One mail: its HTML, in a frame that may only show it and open links, and its text. */
export function mailPage({ number, subject, from, to, date, text, html }: ReceivedMail, language: Language): string {
  const say = mailboxTexts.translator(language)
  return htmlPage({
    language,
    title: subject,
    content: `<nav><a href="/mail">${escapeHtml(say('back'))}</a></nav>
<h1>${escapeHtml(subject)}</h1>
<dl>
<dt>${escapeHtml(say('from'))}</dt><dd>${escapeHtml(mailbox(from))}</dd>
<dt>${escapeHtml(say('to'))}</dt><dd>${escapeHtml(to.map(mailbox).join(', '))}</dd>
<dt>${escapeHtml(say('date'))}</dt><dd>${escapeHtml(moment(date, language))}</dd>
</dl>
${html === '' ? '' : `<iframe title="${escapeHtml(say('html'))}" sandbox="${SANDBOX}" src="/mail/${number}/html"></iframe>`}
<h2>${escapeHtml(say('text'))}</h2>
<pre>${escapeHtml(text.trim())}</pre>`,
  })
}

/** Links of a mail open a page of their own, outside the sandbox. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/** Content security policy of a mail's HTML, framed or not: it neither runs scripts nor fetches anything. */
export const MAIL_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox ${SANDBOX}`

/** The HTML of a mail; its links open outside the frame. */
export const mailDocument = ({ html }: ReceivedMail): string => {
  const base = '<base target="_blank">'
  return /<head>/i.test(html) ? html.replace(/<head>/i, `$&${base}`) : base + html
}

/** The pages' style sheet; their content security policy allows no inline styles. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #f6f2e8; --ink: #17251f; --line: #ddd4c0; --pine: #0f5a40; font: 1rem/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1512; --ink: #e8efe9; --line: #2b3a33; --pine: #74d3aa } }
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem; background: var(--paper); color: var(--ink) }
h1 { font: 600 1.75rem/1.2 Georgia, serif; overflow-wrap: anywhere }
a { color: var(--pine); text-underline-offset: 0.2em }
ol { padding-left: 2.5rem }
li { margin-bottom: 1.5rem }
li > a { font-weight: 600 }
.about { margin: 0; opacity: 0.8 }
pre { margin: 0.5rem 0; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere }
li pre { max-height: 9rem; overflow: auto }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
iframe { width: 100%; height: 36rem; border: 1px solid var(--line); border-radius: 0.5rem; background: #fff }
`

const mailbox = ({ name, address }: { readonly name: string; readonly address: string }): string =>
  name === '' ? address : `${name} <${address}>`

// The demo's users are in one time zone; the server may be in another.
const moment = (date: Date, language: Language): string => formatDate(date, language, 'America/Sao_Paulo')
