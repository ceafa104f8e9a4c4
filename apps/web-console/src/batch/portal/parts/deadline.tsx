import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { useNow } from '../../../shared/format/use-now.ts'

const MINUTE_MS = 60_000

/** Until when a decision is taken. */
export function Deadline({ at }: { at: string | null }) {
  const { t } = useTranslation('batch-portal')
  const { dateAndMinute } = useFormats()
  const now = useNow(MINUTE_MS)
  if (at === null) return t('noDeadline')
  return Date.parse(at) > now ? dateAndMinute(at) : t('overdue', { at: dateAndMinute(at) })
}
