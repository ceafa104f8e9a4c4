import { useTranslation } from 'react-i18next'
import { useTimeFormat } from '../suite/use-time-format.ts'
import type { StepProps } from './walk-steps.ts'

export function SentStep({ walk: { sentAt } }: StepProps) {
  const { t } = useTranslation('home')
  const { dateAndTime } = useTimeFormat()
  return <p>{t('walk.sent.text', { time: dateAndTime(sentAt) })}</p>
}
