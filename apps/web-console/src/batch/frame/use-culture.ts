import { useEffect } from 'react'
import { call } from '../../shared/api/request.ts'
import { type Language, languages } from '../../shared/i18n/languages.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'

/** Once per visit: the service knows the language of its cookie, which this page cannot read. */
export function useCulture(): void {
  const { language, speak } = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes come from the switch, which tells the service
  useEffect(() => {
    call<{ culture: string }>('GET', '/api/culture')
      .then(({ culture }) => {
        if (Object.hasOwn(languages, culture) && culture !== language) speak(culture as Language)
      })
      // A service that does not answer leaves the language of the browser; the indicator says that it does not.
      .catch(() => {})
  }, [])
}
