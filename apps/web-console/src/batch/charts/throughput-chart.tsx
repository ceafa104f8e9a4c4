import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { ThroughputBucket } from '../api/types.ts'
import { type Series, StackedBars } from './stacked-bars.tsx'
import { useTimeFormat } from './use-time-format.ts'

/** How many jobs ended, and how. */
export function ThroughputChart({ title, buckets }: { title: string; buckets: readonly ThroughputBucket[] }) {
  const { t } = useTranslation('batch-overview')
  const { count } = useFormats()
  const times = useTimeFormat(buckets)
  const series: Series[] = [
    { key: 'completed', name: t('charts.completed'), color: '--pine', pattern: 'solid' },
    { key: 'failed', name: t('charts.failed'), color: '--bad', pattern: 'hatch' },
    { key: 'canceled', name: t('charts.canceled'), color: '--idle', pattern: 'dots' },
  ]
  const total = (key: 'completed' | 'failed' | 'canceled') => buckets.reduce((sum, bucket) => sum + bucket[key], 0)
  return (
    <StackedBars
      title={title}
      description={t('charts.throughputText', {
        completed: count(total('completed')),
        failed: count(total('failed')),
        canceled: count(total('canceled')),
      })}
      series={series}
      points={buckets.map(({ at, completed, failed, canceled }) => ({ at, values: [completed, failed, canceled] }))}
      {...times}
      formatValue={count}
      leastMax={4}
    />
  )
}
