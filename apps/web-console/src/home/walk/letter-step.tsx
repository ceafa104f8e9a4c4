import { Button } from '@mantine/core'
import { MailOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useTimeFormat } from '../suite/use-time-format.ts'
import type { StepProps } from './walk-steps.ts'

/** The e-mail that asks for the signature, in the inbox of the demo. */
export function LetterStep({ walk: { letter, status } }: StepProps) {
  const { t } = useTranslation('home')
  const { timeOfDay } = useTimeFormat()
  if (!letter) return <p>{t(status === 'Pending' ? 'walk.letter.waiting' : 'walk.letter.forgotten')}</p>
  const { subject, to, receivedAt, url } = letter
  return (
    <>
      <p>{t('walk.letter.text', { subject, to, time: timeOfDay(receivedAt) })}</p>
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<MailOpen size={16} aria-hidden="true" />}
      >
        {t('walk.letter.read')}
      </Button>
    </>
  )
}
