import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { beginOfDay, today } from '../../console/parts/days.ts'
import { May } from '../../console/parts/may.tsx'
import { NoticesPanel } from '../../console/parts/notices-panel.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Figure, Figures } from '../../shared/parts/figures.tsx'
import { Findings } from '../../shared/parts/findings.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { overviewQuery } from '../api/activity.ts'
import type { Overview } from '../api/types.ts'
import { ProviderChip } from '../parts/chips.tsx'
import { operationTexts } from '../texts/finding-texts.ts'

/** The current activity; each figure links to its page. */
export function OverviewPage() {
  const { t } = useTranslation('hub-overview')
  // Midnight may pass while the page is open.
  const day = today(useNow(60_000))
  const query = useQuery(overviewQuery(beginOfDay(day)))
  return (
    <>
      <PageHead title={t('title')} />
      <Queried query={query} lines={8}>
        {(overview) => (
          <>
            <NoticesPanel notices={overview.notices} linked={placeOf} />
            <Counts overview={overview} day={day} />
            <Providers providers={overview.providers} />
          </>
        )}
      </Queried>
    </>
  )
}

/** Where each is looked after. */
const placeOf = (cause: string, title: string) =>
  cause.startsWith('provider') ? (
    <May right="providers.read" otherwise={title}>
      <Link to="/providers">{title}</Link>
    </May>
  ) : (
    title
  )

function Counts({ overview: { sessions, today }, day }: { overview: Overview; day: string }) {
  const { t } = useTranslation('hub-overview')
  const { count } = useFormats()
  return (
    <Figures label={t('figures')}>
      <Figure
        name={
          <Link to="/sessions" search={{ state: 'authorized' }}>
            {t('authorized')}
          </Link>
        }
        value={count(sessions.authorized)}
        hint={t('authorizedHint')}
      />
      <Figure
        name={
          <Link to="/sessions" search={{ state: 'pending' }}>
            {t('pending')}
          </Link>
        }
        value={count(sessions.pending)}
        hint={t('pendingHint')}
      />
      <Figure
        name={
          <Link to="/uses" search={{ action: 'sign', from: day }}>
            {t('hashes')}
          </Link>
        }
        value={count(today.hashes)}
        hint={t('authorizations', { count: today.authorizations })}
      />
      <Figure
        name={
          <Link to="/uses" search={{ outcome: 'failed', from: day }}>
            {t('failures')}
          </Link>
        }
        value={count(today.failures)}
        hint={t('sinceMidnight')}
        alarming={today.failures > 0}
      />
    </Figures>
  )
}

type Row = Overview['providers'][number]

function Providers({ providers }: { providers: readonly Row[] }) {
  const { t } = useTranslation('hub-overview')
  const { language } = useLanguage()
  const { dateAndTime } = useFormats()
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ id, serviceName }) => (
        <May right="providers.read" otherwise={serviceName}>
          <Link to="/providers/$id" params={{ id }}>
            {serviceName}
          </Link>
        </May>
      ),
    },
    { key: 'state', title: t('columns.state'), cell: (provider) => <ProviderChip provider={provider} /> },
    {
      key: 'failure',
      title: t('columns.failure'),
      cell: ({ lastFailure }) =>
        lastFailure ? (
          <span className={parts.stack}>
            <Findings findings={lastFailure.findings} otherwise={lastFailure.text} />
            <span className={parts.small}>
              {dateAndTime(lastFailure.at)} · {operationTexts[language][lastFailure.operation]}
            </span>
          </span>
        ) : (
          t('none')
        ),
    },
  ]
  return (
    <Panel title={t('providers')}>
      {providers.length === 0 ? (
        <p>
          {t('noProvider')}{' '}
          <May right="providers.manage">
            <Link to="/providers/new">{t('addProvider')}</Link>
          </May>
        </p>
      ) : (
        <DataTable caption={t('providers')} columns={columns} rows={providers} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}
