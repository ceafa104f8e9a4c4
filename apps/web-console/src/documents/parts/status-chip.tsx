import { Ban, CircleCheck, CircleX, Clock, Hourglass, type LucideIcon, Minus, Timer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { ActionStatus, DocumentStatus } from '../api/types.ts'

interface Look {
  readonly icon: LucideIcon
  readonly tone: Tone
}

const documentLooks: Readonly<Record<DocumentStatus, Look>> = {
  Pending: { icon: Clock, tone: 'warning' },
  FlowConcluded: { icon: Hourglass, tone: 'busy' },
  Concluded: { icon: CircleCheck, tone: 'good' },
  Refused: { icon: CircleX, tone: 'bad' },
  Canceled: { icon: Ban, tone: 'plain' },
  Expired: { icon: Timer, tone: 'idle' },
}

/** The status of a document. */
export function StatusChip({ status }: { status: DocumentStatus }) {
  const { t } = useTranslation('documents')
  return <Chip {...documentLooks[status]}>{t(`status.${status}`)}</Chip>
}

const actionLooks: Readonly<Record<ActionStatus, Look>> = {
  Created: { icon: Hourglass, tone: 'plain' },
  Pending: { icon: Clock, tone: 'warning' },
  Completed: { icon: CircleCheck, tone: 'good' },
  Refused: { icon: CircleX, tone: 'bad' },
}

/** The state of a participant; after the document has ended, a pending participant will never act. */
export function ActionChip({ status, ended = false }: { status: string; ended?: boolean }) {
  const { t } = useTranslation('documents')
  const known = status as ActionStatus
  if (ended && (known === 'Created' || known === 'Pending'))
    return (
      <Chip icon={Minus} tone="plain">
        {t('didNotAct')}
      </Chip>
    )
  return <Chip {...actionLooks[known]}>{t(`actionStatus.${known}`)}</Chip>
}
