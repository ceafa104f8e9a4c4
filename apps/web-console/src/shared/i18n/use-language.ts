import { useTranslation } from 'react-i18next'
import type { Language } from './languages.ts'
import { speak } from './start-i18n.ts'

/** The current language, and a function to change it. */
export function useLanguage(): { language: Language; speak: (language: Language) => void } {
  const { i18n } = useTranslation()
  return { language: i18n.language as Language, speak: (language) => void speak(i18n, language) }
}
