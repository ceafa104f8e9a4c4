// In which form and language an answer is wanted.
import type { Call } from '@chancela/service-kernel/http'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'

/** HTML must be named: programs accept anything, and do not want a page. */
export const wantsPage = ({ headers: { accept = '' } }: Call['request']): boolean =>
  /(^|,)\s*text\/html\s*(;|,|$)/i.test(accept)

export const languageOf = ({ headers }: Call['request']): InterfaceLanguage =>
  headers['accept-language']?.trim().slice(0, 2).toLowerCase() === 'en' ? 'en-US' : 'pt-BR'
