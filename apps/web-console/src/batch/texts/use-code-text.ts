import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { codeTexts } from './code-texts.ts'

/** Explains codes in the operator's language; one newer than this page keeps the server's own words. */
export function useCodeText(): { explain: (code: string, said?: string) => string } {
  const { t } = useTranslation('batch')
  const { language } = useLanguage()
  const known: Readonly<Record<string, string>> = codeTexts[language]
  return { explain: (code, said) => known[code] ?? (said || t('problem.unknown', { code })) }
}
