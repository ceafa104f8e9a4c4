import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useNow } from '../../shared/format/use-now.ts'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { overviewQuery, statisticsQuery } from '../api/queries.ts'
import type { JobItem, Overview } from '../api/types.ts'
import { DurationChart } from '../charts/duration-chart.tsx'
import { ThroughputChart } from '../charts/throughput-chart.tsx'
import { ConditionsBand } from '../conditions/conditions-band.tsx'
import { useSiteTimeZone } from '../frame/use-site-time-zone.ts'
import { JobsTable } from '../jobs/jobs-table.tsx'
import { bucketsWithin, daysOf } from '../statistics/statistics-range.ts'
import { FormatPanel } from './format-panel.tsx'
import classes from './overview.module.css'
import { Cards } from './overview-cards.tsx'
import { PerformancePanel } from './performance-panel.tsx'

/** What happens right now, and what happened in the last day. */
export function OverviewPage() {
  const { t } = useTranslation('batch-overview')
  const overview = useQuery(overviewQuery)
  return (
    <>
      <PageHead title={t('title')} />
      <ConditionsBand />
      <Queried query={overview} lines={8}>
        {(data) => <Content overview={data} />}
      </Queried>
    </>
  )
}

function Content({ overview }: { overview: Overview }) {
  const { t } = useTranslation('batch-overview')
  return (
    <>
      <Cards overview={overview} />
      <Panel title={t('charts.title')}>
        <div className={classes.charts}>
          <ThroughputChart title={t('charts.throughput')} buckets={overview.throughput} />
          <LastDayDurations />
        </div>
      </Panel>
      <div className={classes.pair}>
        <PerformancePanel performance={overview.performance} />
        <FormatPanel counts={overview.inFlightByFormat} />
      </div>
      <Recent jobs={overview.recent} />
    </>
  )
}

function LastDayDurations() {
  const { t } = useTranslation('batch-overview')
  const now = useNow(60_000)
  const { since, ...days } = daysOf({}, now, useSiteTimeZone())
  const statistics = useQuery(statisticsQuery(days))
  return (
    <Queried query={statistics}>
      {({ buckets }) => (
        <DurationChart title={t('charts.durations')} buckets={bucketsWithin(buckets, { since, now })} />
      )}
    </Queried>
  )
}

function Recent({ jobs }: { jobs: readonly JobItem[] }) {
  const { t } = useTranslation('batch-overview')
  const toJobs = (
    <Button component={Link} to="/jobs" variant="default" size="xs">
      {jobs.length === 0 ? t('recent.toJobs') : t('recent.all')}
    </Button>
  )
  return (
    <Panel title={t('recent.title')} actions={jobs.length > 0 && toJobs}>
      {jobs.length === 0 ? (
        <PageState icon={Inbox} title={t('recent.none')} action={toJobs}>
          {t('recent.noneText')}
        </PageState>
      ) : (
        <JobsTable jobs={jobs} caption={t('recent.title')} />
      )}
    </Panel>
  )
}
