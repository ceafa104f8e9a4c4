import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { StatisticsBucket } from '../api/types.ts'
import { type Series, StackedBars } from './stacked-bars.tsx'
import { useTimeFormat } from './use-time-format.ts'

/** How long a job took on average, stage by stage. */
export function DurationChart({ title, buckets }: { title: string; buckets: readonly StatisticsBucket[] }) {
  const { t } = useTranslation('batch-overview')
  const { duration } = useFormats()
  const times = useTimeFormat(buckets)
  const series: Series[] = [
    { key: 'queue', name: t('stages.queue'), color: '--idle', pattern: 'dots' },
    { key: 'signing', name: t('stages.signing'), color: '--pine', pattern: 'solid' },
    { key: 'verification', name: t('stages.verification'), color: '--brass', pattern: 'hatch' },
    { key: 'output', name: t('stages.output'), color: '--warning', pattern: 'open' },
  ]
  const longest = Math.max(0, ...buckets.map(({ longestMs }) => longestMs ?? 0))
  return (
    <StackedBars
      title={title}
      description={longest === 0 ? t('charts.nothing') : t('charts.durationText', { longest: duration(longest) })}
      series={series}
      points={buckets.map((bucket) => ({
        at: bucket.at,
        values: [
          bucket.averageQueueMs ?? 0,
          bucket.averageSigningMs ?? 0,
          bucket.averageVerificationMs ?? 0,
          bucket.averageOutputMs ?? 0,
        ],
      }))}
      {...times}
      formatValue={duration}
      leastMax={10}
    />
  )
}
