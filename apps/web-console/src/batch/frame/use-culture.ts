import { useEffect } from 'react'
import { call } from '../../shared/api/request.ts'
import { type Language, languages } from '../../shared/i18n/languages.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'

/** Once per visit: the service keeps the language in a cookie that this page cannot read. */
export function useCulture(): void {
  const { language, speak } = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes come from the switch, which tells the service
  useEffect(() => {
    call<{ culture: string }>('GET', '/api/culture')
      .then(({ culture }) => {
        if (Object.hasOwn(languages, culture) && culture !== language) speak(culture as Language)
      })
      // Without an answer the browser's language stays; the indicator shows that the service does not answer.
      .catch(() => {})
  }, [])
}
