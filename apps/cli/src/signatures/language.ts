import type { Language } from '@chancela/signature-engine/report'

/** The language of reports: the one asked for, else that of the environment, else Brazilian Portuguese. */
export function languageOf(
  asked: Language | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  const locale = LC_ALL || LC_MESSAGES || LANG || ''
  return asked ?? (/^en/i.test(locale) ? 'en-US' : 'pt-BR')
}
