// Pages of the hub's own that need no bundle: a few sentences in the user's language, and no script.
import { createHash } from 'node:crypto'
import { escapeHtml } from '@chancela/service-kernel/http'
import { negotiate } from '@chancela/service-kernel/i18n'

const languages = ['pt-BR', 'en-US'] as const

type Language = (typeof languages)[number]

/** What a page says in each language. */
export type PageTexts<T> = Readonly<Record<Language, T>>

const STYLE = 'body{font:1.125rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem}'

/** Nothing but its own style may be loaded or run. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  vary: 'accept-language',
}

interface PlainPage {
  readonly title: string
  /** Markup. */
  readonly content: string
  /** Seconds after which it is loaded again. */
  readonly refreshSeconds?: number
}

/** A page in the user's language, with its headers. */
export function plainPage<T>(acceptLanguage: string | undefined, texts: PageTexts<T>, pageOf: (texts: T) => PlainPage) {
  const language = negotiate(acceptLanguage, languages, 'pt-BR')
  const { title, content, refreshSeconds } = pageOf(texts[language])
  const refresh = refreshSeconds === undefined ? '' : `\n<meta http-equiv="refresh" content="${refreshSeconds}">`
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${refresh}
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`
  return { page, headers }
}
