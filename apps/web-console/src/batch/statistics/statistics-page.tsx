import { SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { statisticsQuery } from '../api/queries.ts'
import type { Statistics, StatisticsBucket } from '../api/types.ts'
import { DurationChart } from '../charts/duration-chart.tsx'
import { ThroughputChart } from '../charts/throughput-chart.tsx'
import { useSiteTimeZone } from '../frame/use-site-time-zone.ts'
import { useWireNames } from '../jobs/use-wire-names.ts'
import { RemittancesPanel } from './remittances-panel.tsx'
import classes from './statistics.module.css'
import { bucketsWithin, daysOf, type Preset, presets, type StatisticsRange } from './statistics-range.ts'

/** How much was signed, by what, and how fast. */
export function StatisticsPage() {
  const { t } = useTranslation('batch-statistics')
  const range = useSearch({ from: '/shell/statistics' })
  const now = useNow(60_000)
  const { since, ...days } = daysOf(range, now, useSiteTimeZone())
  const statistics = useQuery(statisticsQuery(days))
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <RangeFields range={range} />
      <Queried query={statistics} lines={8}>
        {(data) => <Content statistics={data} buckets={bucketsWithin(data.buckets, { since, now })} />}
      </Queried>
      <RemittancesPanel days={days} />
    </>
  )
}

function RangeFields({ range }: { range: StatisticsRange }) {
  const { t } = useTranslation('batch-statistics')
  const navigate = useNavigate()
  const go = (search: StatisticsRange) => void navigate({ to: '/statistics', search })
  const { from = '', to = '' } = range
  const setDay = (name: 'from' | 'to', day: string) => go({ from: from || day, to: to || day, [name]: day })
  return (
    <search className={classes.range} aria-label={t('range')}>
      <SegmentedControl
        aria-label={t('range')}
        value={from ? '' : (range.range ?? 'day')}
        onChange={(value) => go(value === 'day' ? {} : { range: value as Preset })}
        data={(Object.keys(presets) as Preset[]).map((value) => ({ value, label: t(`presets.${value}`) }))}
      />
      <TextInput
        label={t('from')}
        type="date"
        value={from}
        onChange={(event) => setDay('from', event.currentTarget.value)}
      />
      <TextInput label={t('to')} type="date" value={to} onChange={(event) => setDay('to', event.currentTarget.value)} />
    </search>
  )
}

function Content({ statistics, buckets }: { statistics: Statistics; buckets: readonly StatisticsBucket[] }) {
  const { t } = useTranslation(['batch-statistics', 'batch-overview'])
  const names = useWireNames()
  return (
    <>
      <Panel title={t('batch-overview:charts.throughput')}>
        <ThroughputChart title={t('perBucket')} buckets={buckets} />
      </Panel>
      <Panel title={t('durations')}>
        <DurationChart title={t('batch-overview:charts.durations')} buckets={buckets} />
      </Panel>
      <div className={classes.counts}>
        <Counts title={t('byStatus')} counts={statistics.byStatus} nameOf={names.status} />
        <Counts title={t('bySource')} counts={statistics.bySource} nameOf={names.source} />
        <Counts title={t('byFormat')} counts={statistics.byFormat} nameOf={names.format} />
        <Counts title={t('byProfile')} counts={statistics.byProfile} nameOf={(name) => name} />
      </div>
    </>
  )
}

interface CountsProps {
  title: string
  counts: Readonly<Record<string, number>>
  nameOf: (key: string) => string
}

/** Counts with their share, largest first. */
function Counts({ title, counts, nameOf }: CountsProps) {
  const { t } = useTranslation('batch-statistics')
  const { count, percent } = useFormats()
  const rows = Object.entries(counts)
    .filter(([, value]) => value > 0)
    .sort(([, one], [, other]) => other - one)
  const total = rows.reduce((sum, [, value]) => sum + value, 0)
  return (
    <Panel title={title}>
      {rows.length === 0 && <p>{t('none')}</p>}
      <ul className={classes.list}>
        {rows.map(([key, value]) => (
          <li key={key} className={classes.row}>
            <span className={classes.name}>{nameOf(key)}</span>
            <span className={classes.value}>
              {count(value)} <span className={classes.share}>{percent(value / total)}</span>
            </span>
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${(100 * value) / total}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
