import { useLanguage } from '../../shared/i18n/use-language.ts'

/** Times in the visitor's language and time zone. */
export function useTimeFormat() {
  const { language } = useLanguage()
  const write = (options: Intl.DateTimeFormatOptions) => (time: string | number) =>
    new Intl.DateTimeFormat(language, options).format(new Date(time))
  return { dateAndTime: write({ dateStyle: 'medium', timeStyle: 'short' }), timeOfDay: write({ timeStyle: 'medium' }) }
}
