import { Ban, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { Delivery } from '../api/types.ts'

const looks: Readonly<Record<Delivery['state'], { icon: LucideIcon; tone: Tone }>> = {
  waiting: { icon: Clock, tone: 'warning' },
  delivered: { icon: CircleCheck, tone: 'good' },
  failed: { icon: CircleX, tone: 'bad' },
  canceled: { icon: Ban, tone: 'plain' },
}

/** What became of a delivery. */
export function DeliveryState({ state }: { state: Delivery['state'] }) {
  const { t } = useTranslation('documents-webhooks')
  return <Chip {...looks[state]}>{t(`deliveries.states.${state}`)}</Chip>
}
