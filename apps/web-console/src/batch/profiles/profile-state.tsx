import { CircleCheck, CirclePause, type LucideIcon, TriangleAlert, UserRoundCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { Profile } from '../api/types.ts'
import classes from './profiles.module.css'

const looks: Readonly<Record<Profile['state'], { icon: LucideIcon; tone: Tone }>> = {
  ready: { icon: CircleCheck, tone: 'good' },
  keyless: { icon: UserRoundCheck, tone: 'good' },
  degraded: { icon: TriangleAlert, tone: 'bad' },
}

/** Whether a profile can sign, and why not. */
export function ProfileState({ profile }: { profile: Pick<Profile, 'enabled' | 'state' | 'reason'> }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <span className={classes.state}>
      <span className={classes.checks}>
        <Chip {...looks[profile.state]}>{t(`state.${profile.state}`)}</Chip>
        {!profile.enabled && (
          <Chip icon={CirclePause} tone="idle">
            {t('state.disabled')}
          </Chip>
        )}
      </span>
      {profile.reason && (
        <span className={classes.reason} data-tone={profile.state === 'degraded' ? 'bad' : 'warning'}>
          {profile.reason}
        </span>
      )}
    </span>
  )
}
