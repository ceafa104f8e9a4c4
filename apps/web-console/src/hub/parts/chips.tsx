import {
  Ban,
  CircleCheck,
  CircleX,
  Hourglass,
  type LucideIcon,
  PowerOff,
  Stamp,
  Timer,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { SessionState } from '../api/types.ts'

type Looks<State extends string> = Readonly<Record<State, { readonly icon: LucideIcon; readonly tone: Tone }>>

const sessionLooks: Looks<SessionState> = {
  pending: { icon: Hourglass, tone: 'busy' },
  authorized: { icon: CircleCheck, tone: 'good' },
  reserved: { icon: Stamp, tone: 'busy' },
  used: { icon: Stamp, tone: 'plain' },
  refused: { icon: CircleX, tone: 'bad' },
  late: { icon: Timer, tone: 'bad' },
  ended: { icon: Ban, tone: 'plain' },
  expired: { icon: Timer, tone: 'idle' },
}

/** The state of a session. */
export function SessionChip({ state }: { state: SessionState }) {
  const { t } = useTranslation('hub')
  return <Chip {...sessionLooks[state]}>{t(`sessionState.${state}`)}</Chip>
}

const providerLooks = {
  inUse: { icon: CircleCheck, tone: 'good' },
  alone: { icon: Unplug, tone: 'bad' },
  disabled: { icon: PowerOff, tone: 'idle' },
} as const satisfies Looks<string>

/** Whether a provider is used; whether it answers is told by the notices, of one that is left alone at once. */
export function ProviderChip({
  provider: { enabled, available },
}: {
  provider: Record<'enabled' | 'available', boolean>
}) {
  const { t } = useTranslation('hub')
  const state = enabled ? (available ? 'inUse' : 'alone') : 'disabled'
  return <Chip {...providerLooks[state]}>{t(`providerState.${state}`)}</Chip>
}

/** Whether something succeeded. */
export function OutcomeChip({ outcome }: { outcome: string }) {
  const { t } = useTranslation('hub')
  return outcome === 'ok' ? (
    <Chip icon={CircleCheck} tone="good">
      {t('outcome.ok')}
    </Chip>
  ) : (
    <Chip icon={TriangleAlert} tone="bad">
      {t('outcome.failed')}
    </Chip>
  )
}
