// The hub's own pages without a bundle: a few sentences in the user's language, and no script.
import { escapeHtml, scriptlessPage } from '@chancela/service-kernel/http'
import { type Bilingual, INTERFACE_LANGUAGES, negotiate } from '@chancela/service-kernel/i18n'

/** The texts of a page in each language. */
export type PageTexts<T> = Readonly<Record<keyof Bilingual, T>>

const STYLE = 'body{font:1.125rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem}'

interface PlainPage {
  readonly title: string
  /** Markup. */
  readonly content: string
  /** Seconds until it reloads. */
  readonly refreshSeconds?: number
}

/** A page in the user's language, with its headers. */
export function plainPage<T>(acceptLanguage: string | undefined, texts: PageTexts<T>, pageOf: (texts: T) => PlainPage) {
  const language = negotiate(acceptLanguage, INTERFACE_LANGUAGES, 'pt-BR')
  const { title, content, refreshSeconds } = pageOf(texts[language])
  return scriptlessPage({
    language,
    title,
    style: STYLE,
    head: refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">\n`,
    content: `<h1>${escapeHtml(title)}</h1>\n${content}`,
  })
}
