import {
  Ban,
  CircleCheck,
  CirclePause,
  CircleX,
  Clock,
  Inbox,
  type LucideIcon,
  PenLine,
  Send,
  ThumbsUp,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { ItemStatus } from '../api/types.ts'

const looks: Readonly<Record<ItemStatus, { icon: LucideIcon; tone: Tone }>> = {
  Created: { icon: Clock, tone: 'warning' },
  SentToRegistry: { icon: Send, tone: 'busy' },
  AwaitingAcceptance: { icon: Inbox, tone: 'warning' },
  Accepted: { icon: Clock, tone: 'busy' },
  Approved: { icon: ThumbsUp, tone: 'busy' },
  Rejected: { icon: CircleX, tone: 'bad' },
  Registered: { icon: PenLine, tone: 'busy' },
  Signed: { icon: CircleCheck, tone: 'good' },
  Pending: { icon: Clock, tone: 'warning' },
  Concluded: { icon: CircleCheck, tone: 'good' },
  CanceledTemporarily: { icon: CirclePause, tone: 'warning' },
  Canceled: { icon: Ban, tone: 'plain' },
}

/** The state of a document. */
export function StatusChip({ status }: { status: ItemStatus }) {
  const { t } = useTranslation('credentials-items')
  return <Chip {...looks[status]}>{t(`status.${status}`)}</Chip>
}
