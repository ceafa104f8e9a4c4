import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

/** Placeholder lines while data loads. */
export function Loading({ lines = 5, height = 18 }: { lines?: number; height?: number }) {
  const { t } = useTranslation()
  return (
    <div className={classes.loading} role="status" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same and never move
        <Skeleton key={line} height={height} width={`${100 - (line % 4) * 9}%`} />
      ))}
    </div>
  )
}
