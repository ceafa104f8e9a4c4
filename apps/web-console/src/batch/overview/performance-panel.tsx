import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Performance } from '../api/types.ts'
import { visibleName } from '../parts/visible-name.ts'
import classes from './overview.module.css'

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
        <>
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
            ]}
          />
          {slowest && <Slowest job={slowest} />}
        </>
      )}
    </Panel>
  )
}

/** Below the numbers, at full width: file names are long. */
function Slowest({ job }: { job: NonNullable<Performance['slowest']> }) {
  const { t } = useTranslation('batch-overview')
  const { duration } = useFormats()
  return (
    <dl className={classes.slowest}>
      <dt>{t('performance.slowest')}</dt>
      <dd>
        <Link to="/jobs/$id" params={{ id: job.jobId }}>
          {visibleName(job.fileName)}
        </Link>{' '}
        ({duration(job.totalMs)})
      </dd>
    </dl>
  )
}
