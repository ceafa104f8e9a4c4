import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Performance } from '../api/types.ts'
import { useFormats } from '../format/use-formats.ts'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'

/** How fast jobs go through, stage by stage. */
export function PerformancePanel({ performance }: { performance: Performance }) {
  const { t } = useTranslation('batch-overview')
  const { duration, dateAndMinute, count, rate } = useFormats()
  const time = (milliseconds: number | null) => (milliseconds === null ? undefined : duration(milliseconds))
  const { slowest } = performance
  return (
    <Panel
      title={t('performance.title')}
      lead={performance.since && t('performance.since', { since: dateAndMinute(performance.since) })}
    >
      {performance.averageJobMs === null ? (
        <p>{t('performance.none')}</p>
      ) : (
        <Facts
          dense
          rows={[
            [t('performance.lastMinute'), count(performance.lastMinute)],
            [t('performance.perMinute'), rate(performance.perMinuteLifetime)],
            [t('performance.job'), time(performance.averageJobMs)],
            [t('stages.queue'), time(performance.averageQueueMs)],
            [t('stages.signing'), time(performance.averageSigningMs)],
            [t('stages.verification'), time(performance.averageVerificationMs)],
            [t('stages.output'), time(performance.averageOutputMs)],
            [t('performance.shortest'), time(performance.minMs)],
            [t('performance.longest'), time(performance.maxMs)],
            [
              t('performance.slowest'),
              slowest && (
                <>
                  <Link to="/jobs/$id" params={{ id: slowest.jobId }}>
                    {slowest.fileName}
                  </Link>{' '}
                  ({duration(slowest.totalMs)})
                </>
              ),
            ],
          ]}
        />
      )}
    </Panel>
  )
}
