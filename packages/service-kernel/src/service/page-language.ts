// Who wants a page of the server, and in which language.
import type { FastifyRequest } from 'fastify'
import { escapeHtml } from '../http/index.ts'
import { INTERFACE_LANGUAGES, type InterfaceLanguage, negotiate } from '../i18n/index.ts'

/** HTML must be named: programs accept anything, and do not want a page. */
export const wantsHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.split(',').some((range) => /^\s*text\/html\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))

export const languageOf = ({ query, headers }: FastifyRequest): InterfaceLanguage =>
  INTERFACE_LANGUAGES.find((language) => language === (query as { lang?: unknown } | undefined)?.lang) ??
  negotiate(headers['accept-language'], INTERFACE_LANGUAGES, 'en-US')

export const languageSwitch = (current: InterfaceLanguage, label: string): string =>
  `<nav aria-label="${escapeHtml(label)}">${INTERFACE_LANGUAGES.map(
    (language) =>
      `<a href="?lang=${language}" lang="${language}" hreflang="${language}"${language === current ? ' aria-current="true"' : ''}>${names[language]}</a>`,
  ).join('')}</nav>`

const names: Readonly<Record<InterfaceLanguage, string>> = { 'pt-BR': 'Português', 'en-US': 'English' }
