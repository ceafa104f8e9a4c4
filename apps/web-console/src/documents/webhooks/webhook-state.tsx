import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { ServiceWords } from '../../shared/parts/service-words.tsx'
import type { Webhook } from '../api/types.ts'
import classes from './webhooks.module.css'

const looks = {
  enabled: { icon: CircleCheck, tone: 'good' },
  paused: { icon: CirclePause, tone: 'warning' },
  disabled: { icon: CircleX, tone: 'bad' },
} as const

/** Whether a webhook is enabled, and since when it fails. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('documents-webhooks')
  const { dateAndMinute } = useFormats()
  const { state, stateReason, stateReasonMessages, failingSince, failures, nextAttemptAfter } = webhook
  return (
    <span className={classes.state}>
      <Chip {...looks[state]}>{t(`state.${state}`)}</Chip>
      {stateReason && <ServiceWords text={stateReason} messages={stateReasonMessages} />}
      {failingSince && (
        <span className={classes.small}>{t('failing', { date: dateAndMinute(failingSince), count: failures })}</span>
      )}
      {state === 'enabled' && nextAttemptAfter && (
        <span className={classes.small}>{t('notBefore', { date: dateAndMinute(nextAttemptAfter) })}</span>
      )}
    </span>
  )
}
