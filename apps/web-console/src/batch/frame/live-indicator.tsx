import { useQueryClient } from '@tanstack/react-query'
import { Loader, type LucideIcon, Radio, RefreshCw, ServerOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Contact, useContact } from '../../shared/api/contact.ts'
import { useAnnouncer } from '../../shared/feedback/announcer.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import classes from '../../shared/frame/frame.module.css'
import { IconButton } from '../../shared/icon-button.tsx'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'

const looks: Readonly<Record<Contact['state'], { icon: LucideIcon; tone: Tone }>> = {
  connecting: { icon: Loader, tone: 'idle' },
  live: { icon: Radio, tone: 'good' },
  polling: { icon: RefreshCw, tone: 'warning' },
  lost: { icon: ServerOff, tone: 'bad' },
}

/** Whether the data is fresh, and a button to refresh it. */
export function LiveIndicator() {
  const { t } = useTranslation('batch')
  const queries = useQueryClient()
  const announce = useAnnouncer()
  const { state } = useContact()
  const hint = state === 'live' ? t('contact.liveHint') : state === 'polling' ? t('contact.pollingHint') : undefined
  const refresh = () => void queries.invalidateQueries().then(() => announce(t('contact.refreshed')))
  return (
    <div className={classes.live}>
      <span title={hint} className={classes.liveChip}>
        <Chip {...looks[state]}>
          <span className={classes.markWord}>{t(`contact.${state}`)}</span>
        </Chip>
      </span>
      <IconButton icon={RefreshCw} label={t('contact.refresh')} onClick={refresh} />
    </div>
  )
}

/** Shows since when the server has not answered, above stale data; announces to screen readers when it is back. */
export function LostBanner() {
  const { t } = useTranslation('batch')
  const { timeOfDay } = useFormats()
  const announce = useAnnouncer()
  const { state, lastGoodAt } = useContact()
  const [wasLost, setWasLost] = useState(false)
  useEffect(() => {
    if (wasLost && state !== 'lost') announce(t('contact.back'))
    setWasLost(state === 'lost')
  }, [wasLost, state, announce, t])
  if (state !== 'lost') return null
  const { origin } = location
  return (
    <div className={classes.lost} role="alert">
      <ServerOff size={20} aria-hidden="true" />
      <p>
        {lastGoodAt === undefined
          ? t('contact.lostNever', { origin })
          : t('contact.lostHint', { origin, time: timeOfDay(lastGoodAt) })}
      </p>
    </div>
  )
}
