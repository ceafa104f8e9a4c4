import type { ServiceView } from '@chancela/demo/contract'
import { CircleCheck, CircleDashed, CirclePause, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './state-badge.module.css'

type State = ServiceView['state']

const icons: Record<State, LucideIcon> = {
  running: CircleCheck,
  degraded: TriangleAlert,
  stopped: CirclePause,
  'not-built': CircleDashed,
}

/** A service's state as shape, word and colour, so that nobody has to rely on the colour. */
export function StateBadge({ state }: { state: State }) {
  const { t } = useTranslation('home')
  const Icon = icons[state]
  return (
    <span className={classes.badge} data-state={state}>
      <Icon size={15} aria-hidden="true" />
      {t(`state.${state}`)}
    </span>
  )
}
