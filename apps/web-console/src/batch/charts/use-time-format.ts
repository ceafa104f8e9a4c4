import { useFormats } from '../../shared/format/use-formats.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { useSiteTimeZone } from '../frame/use-site-time-zone.ts'
import { timeAxis } from './time-axis.ts'

const TWO_DAYS_MS = 48 * 3_600_000

/** How an axis formats its times: hours up to two days, days beyond; a day of the service is one of the site. */
export function useTimeFormat(points: readonly { readonly at: string }[]) {
  const { hour, day, dateAndMinute } = useFormats()
  const { language } = useLanguage()
  const timeZone = useSiteTimeZone()
  const { isDaily, span } = timeAxis(points)
  if (isDaily) {
    const format = (options: Intl.DateTimeFormatOptions) => (at: string | number) =>
      new Intl.DateTimeFormat(language, { ...options, timeZone }).format(new Date(at))
    return { formatTick: format({ day: '2-digit', month: '2-digit' }), formatPoint: format({ dateStyle: 'short' }) }
  }
  return { formatTick: span > TWO_DAYS_MS ? day : hour, formatPoint: dateAndMinute }
}
