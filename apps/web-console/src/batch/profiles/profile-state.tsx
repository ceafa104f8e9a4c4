import { CircleCheck, CirclePause, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../shared/parts/chip.tsx'
import type { Profile } from '../api/types.ts'
import classes from './profiles.module.css'

/** Whether a profile can sign, and why not. */
export function ProfileState({ profile }: { profile: Pick<Profile, 'enabled' | 'state' | 'reason'> }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <span className={classes.state}>
      <span className={classes.checks}>
        {profile.state === 'ready' ? (
          <Chip icon={CircleCheck} tone="good">
            {t('state.ready')}
          </Chip>
        ) : (
          <Chip icon={TriangleAlert} tone="bad">
            {t('state.degraded')}
          </Chip>
        )}
        {!profile.enabled && (
          <Chip icon={CirclePause} tone="idle">
            {t('state.disabled')}
          </Chip>
        )}
      </span>
      {profile.reason && (
        <span lang="en" className={classes.reason} data-tone={profile.state === 'ready' ? 'warning' : 'bad'}>
          {profile.reason}
        </span>
      )}
    </span>
  )
}
