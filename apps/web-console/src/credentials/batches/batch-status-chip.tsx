import { Ban, CircleCheck, Clock, Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { Batch } from '../api/types.ts'

type Look = 'Created' | 'Processing' | 'Finished' | 'WithErrors' | 'Canceled'

const looks: Readonly<Record<Look, { icon: LucideIcon; tone: Tone }>> = {
  Created: { icon: Clock, tone: 'idle' },
  Processing: { icon: Hourglass, tone: 'busy' },
  Finished: { icon: CircleCheck, tone: 'good' },
  WithErrors: { icon: TriangleAlert, tone: 'warning' },
  Canceled: { icon: Ban, tone: 'plain' },
}

/** The state of a batch; one whose rows did not all become items looks so. */
export function BatchStatusChip({ batch: { status, failed } }: { batch: Batch }) {
  const { t } = useTranslation('credentials-batches')
  const look = status === 'Finished' && failed > 0 ? 'WithErrors' : status
  return <Chip {...looks[look]}>{t(`status.${look}`)}</Chip>
}
