import { useMemo } from 'react'
import type { Language } from '../i18n/languages.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { formatBytes } from './format-bytes.ts'
import { formatDuration } from './format-duration.ts'

/** Formats numbers and times in the operator's language and time zone. */
export function useFormats() {
  const { language } = useLanguage()
  return useMemo(() => formatsIn(language), [language])
}

function formatsIn(language: Language) {
  const time = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, options)
    return (at: string | number) => format.format(new Date(at))
  }
  const number = new Intl.NumberFormat(language)
  const rate = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return {
    dateAndTime: time({ dateStyle: 'short', timeStyle: 'medium' }),
    date: time({ dateStyle: 'short' }),
    dateAndMinute: time({ dateStyle: 'short', timeStyle: 'short' }),
    timeOfDay: time({ timeStyle: 'medium' }),
    hour: time({ hour: '2-digit', minute: '2-digit' }),
    day: time({ day: '2-digit', month: '2-digit' }),
    dateUtc: time({ dateStyle: 'short', timeZone: 'UTC' }),
    count: (value: number) => number.format(value),
    rate: (value: number) => rate.format(value),
    percent: (share: number) => percent.format(share),
    /** `in 3 days`, `tomorrow`, `2 days ago`. */
    inDays: (count: number) => days.format(count, 'day'),
    duration: (milliseconds: number) => formatDuration(milliseconds, language),
    bytes: (bytes: number) => formatBytes(bytes, language),
  }
}
