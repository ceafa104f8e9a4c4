import { createHash } from 'node:crypto'
import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate, negotiate } from '@chancela/service-kernel/i18n'
import type { Account, Credential } from '../accounts.ts'
import type { Answer, Question } from '../http.ts'
import type { Context } from '../provider-context.ts'
import type { Consent, Interaction } from './interactions.ts'
import { style } from './style.ts'
import { type PageLanguage, pageTexts } from './texts.ts'

/** Why the login page is shown again. */
export type LoginMessage =
  | { readonly kind: 'wrong'; readonly triesLeft?: number; readonly identifier: string }
  | { readonly kind: 'locked'; readonly identifier: string }

export const languageOf = ({ query, headers }: Question): PageLanguage =>
  pageTexts.languages.find((language) => language === query.get('lang')) ??
  negotiate(headers['accept-language'], pageTexts.languages, 'pt-BR')

/** CPF or CNPJ and PIN. */
export function loginPage(
  context: Context,
  { consent, formToken }: Interaction,
  language: PageLanguage,
  message?: LoginMessage,
): Answer {
  const say = pageTexts.translator(language)
  const identifier = message?.identifier ?? consent.loginHint ?? ''
  const status = message ? 422 : 200
  return page(context, language, status, {
    step: 'login',
    title: say('login.title'),
    content: `
      <p>${escapeHtml(say('login.lead', { client: clientName(consent) }))}</p>
      ${message ? `<p class="problem" role="alert">${escapeHtml(problemText(message, language))}</p>` : ''}
      ${form(
        formToken,
        `<label for="identifier">${say('login.identifier')}</label>
        <input type="text" id="identifier" name="identifier" value="${escapeHtml(identifier)}" required autocomplete="username"${identifier ? '' : ' autofocus'}>
        <label for="pin">${say('login.pin')}</label>
        <input type="password" id="pin" name="pin" required inputmode="numeric" autocomplete="off"${identifier ? ' autofocus' : ''}>
        <div class="actions">
          <button type="submit">${say('login.submit')}</button>
          <button type="submit" class="quiet" name="decision" value="deny" formnovalidate>${say('login.cancel')}</button>
        </div>`,
      )}`,
  })
}

export function problemText(message: LoginMessage, language: PageLanguage): string {
  const say = pageTexts.translator(language)
  if (message.kind === 'locked') return say('login.locked')
  const { triesLeft } = message
  return triesLeft === undefined
    ? say('login.wrong')
    : `${say('login.wrong')} ${say('login.tries-left', { count: triesLeft })}`
}

/** What is authorized, to whom, with which certificate. */
export function consentPage(
  context: Context,
  { consent, formToken, account }: Interaction,
  language: PageLanguage,
): Answer {
  const say = pageTexts.translator(language)
  const holder = account!
  return page(context, language, 200, {
    step: 'consent',
    title: say('consent.title'),
    content: `
      <p>${escapeHtml(say('consent.greeting', { name: holder.name }))}<br>
      ${escapeHtml(say('consent.lead', { client: clientName(consent) }))}</p>
      <ul class="permits">${permissions(consent, language)
        .map((html) => `<li>${html}</li>`)
        .join('')}</ul>
      ${form(
        formToken,
        `${consent.withCertificate ? certificateChoice(context, consent, holder, language) : ''}
        <div class="actions">
          <button type="submit" name="decision" value="approve">${say('consent.approve')}</button>
          <button type="submit" class="quiet" name="decision" value="deny">${say('consent.deny')}</button>
        </div>`,
      )}`,
  })
}

export function permissions(
  { permits, signatures, lifetimeSeconds, hashes }: Consent,
  language: PageLanguage,
): string[] {
  const say = pageTexts.translator(language)
  return [
    say(`permits.${permits}`),
    ...(signatures === undefined ? [] : [say('permits.count', { count: signatures })]),
    ...(lifetimeSeconds === undefined ? [] : [lifetimeText(lifetimeSeconds, language)]),
    ...(hashes?.length
      ? [`${say('permits.hashes')}<br>${hashes.map((hash) => `<code>${escapeHtml(hash)}</code>`).join('<br>')}`]
      : []),
  ]
}

const units = [
  ['permits.days', 86_400],
  ['permits.hours', 3600],
  ['permits.minutes', 60],
  ['permits.seconds', 1],
] as const

/** In the largest unit that divides it. */
function lifetimeText(seconds: number, language: PageLanguage): string {
  const [key, size] =
    units.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? (['permits.seconds', 1] as const)
  return pageTexts.translator(language)(key, { count: seconds / size })
}

function certificateChoice(context: Context, { alias }: Consent, account: Account, language: PageLanguage): string {
  const offered = account.credentials.filter((credential) => alias === undefined || credential.alias === alias)
  const proposed = context.accounts.preferred(account)
  const choices = offered.map((credential) =>
    choice(credential, offered.length === 1 || credential === proposed, context.accounts.isValid(credential), language),
  )
  return `<fieldset><legend>${pageTexts.translator(language)('certificate.choose')}</legend>${choices.join('')}</fieldset>`
}

function choice(
  { alias, certificate: { x509 } }: Credential,
  checked: boolean,
  valid: boolean,
  language: PageLanguage,
): string {
  const say = pageTexts.translator(language)
  const date = formatDate(new Date(x509.validTo), language, 'America/Sao_Paulo', 'date')
  const until = say(valid ? 'certificate.until' : 'certificate.expired', { date })
  return `<label class="choice"><input type="radio" name="certificate" value="${escapeHtml(alias)}"${checked ? ' checked' : ''}>
    <span>${escapeHtml(commonName(x509.subject))}<small>${escapeHtml(commonName(x509.issuer))}</small>
    <small${valid ? '' : ' class="expired"'}>${escapeHtml(until)}</small></span></label>`
}

const commonName = (name: string): string => /^CN=(.*)$/m.exec(name)?.[1] ?? name

/** A page without a form. */
export function messagePage(
  context: Context,
  language: PageLanguage,
  { status, key, reason }: { status: number; key: 'over' | 'bad-request'; reason?: string },
): Answer {
  const say = pageTexts.translator(language)
  return page(context, language, status, {
    step: key,
    title: say(`${key}.title`),
    content: `<p>${escapeHtml(say(`${key}.text`))}</p>${reason ? `<p class="problem">${escapeHtml(reason)}</p>` : ''}`,
  })
}

export const clientName = ({ client }: Consent): string => client.name ?? client.clientId

const form = (formToken: string, fields: string): string =>
  `<form method="post"><input type="hidden" name="form" value="${formToken}">${fields}</form>`

// No form-action: browsers apply it to the redirects after a form, too, and those end at addresses of the client's
// client, which are unknown here.
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const LOGO = `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M18.5 10.2A6.5 6.5 0 0 0 6.1 9 5 5 0 0 0 7 19h11a4.5 4.5 0 0 0 .5-8.8Zm-7.6 6.3-3-3 1.3-1.3 1.7 1.7 3.8-3.8 1.3 1.3Z"/></svg>`

interface Contents {
  /** For programs that read the page. */
  readonly step: string
  readonly title: string
  readonly content: string
}

export const page = (
  context: Context,
  language: PageLanguage,
  status: number,
  { step, title, content }: Contents,
): Answer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  },
  body: `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | ${escapeHtml(context.name)}</title><style>${style}</style></head>
<body><main data-step="${step}"><header>${LOGO}<span>${escapeHtml(context.name)}</span></header>
<h1>${escapeHtml(title)}</h1>${content}
<footer>${escapeHtml(pageTexts.translator(language)('footer.demo'))}</footer></main></body>
</html>
`,
})
