import { Ban, CircleCheck, CircleX, Hourglass, LoaderCircle, type LucideIcon, TimerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { DeliveryState, DocumentStatus, SessionStatus } from '../api/types.ts'

type Looks<State extends string> = Readonly<Record<State, { readonly icon: LucideIcon; readonly tone: Tone }>>

const sessionLooks: Looks<SessionStatus> = {
  Pending: { icon: Hourglass, tone: 'busy' },
  Processing: { icon: LoaderCircle, tone: 'busy' },
  Completed: { icon: CircleCheck, tone: 'good' },
  UserCancelled: { icon: Ban, tone: 'plain' },
  Expired: { icon: TimerOff, tone: 'idle' },
  ProcessingError: { icon: CircleX, tone: 'bad' },
}

/** How a session stands. */
export function SessionChip({ status }: { status: SessionStatus }) {
  const { t } = useTranslation('core-sessions')
  return <Chip {...sessionLooks[status]}>{t(`status.${status}`)}</Chip>
}

const documentLooks: Looks<DocumentStatus> = {
  PendingSignature: { icon: Hourglass, tone: 'busy' },
  Processing: { icon: LoaderCircle, tone: 'busy' },
  Completed: { icon: CircleCheck, tone: 'good' },
  ProcessingError: { icon: CircleX, tone: 'bad' },
}

/** The same of one of its documents. */
export function DocumentChip({ status }: { status: DocumentStatus }) {
  const { t } = useTranslation('core-sessions')
  return <Chip {...documentLooks[status]}>{t(`documentStatus.${status}`)}</Chip>
}

const deliveryLooks: Looks<DeliveryState> = {
  waiting: { icon: Hourglass, tone: 'busy' },
  delivered: { icon: CircleCheck, tone: 'good' },
  failed: { icon: CircleX, tone: 'bad' },
  canceled: { icon: Ban, tone: 'idle' },
}

/** Whether the webhook was told. */
export function DeliveryChip({ state }: { state: DeliveryState }) {
  const { t } = useTranslation('core-sessions')
  return <Chip {...deliveryLooks[state]}>{t(`delivery.${state}`)}</Chip>
}
