import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { beginOfDay, today } from '../../console/parts/days.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { Figure, Figures } from '../../shared/parts/figures.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { overviewQuery } from '../api/management.ts'
import type { Overview } from '../api/types.ts'

/** What there is and what happened today; each figure links to its page. */
export function OverviewPage() {
  const { t } = useTranslation('core-overview')
  // Midnight may pass while the page is open.
  const day = today(useNow(60_000))
  const query = useQuery(overviewQuery(beginOfDay(day)))
  return (
    <>
      <PageHead title={t('title')} />
      <Queried query={query} lines={4}>
        {(overview) => <Counts overview={overview} />}
      </Queried>
    </>
  )
}

function Counts({ overview: { subscriptions, applications, authentications, problems } }: { overview: Overview }) {
  const { t } = useTranslation('core-overview')
  const { count } = useFormats()
  return (
    <Figures label={t('figures')}>
      <Figure
        name={
          <Link to="/authentications" search={{ outcome: 'succeeded' }}>
            {t('authentications')}
          </Link>
        }
        value={count(authentications.succeeded)}
        hint={t('sinceMidnight')}
      />
      <Figure
        name={
          <Link to="/authentications" search={{ outcome: 'failed' }}>
            {t('failed')}
          </Link>
        }
        value={count(authentications.failed)}
        hint={t('sinceMidnight')}
      />
      <Figure
        name={
          <Link to="/problems" search={{}}>
            {t('problems')}
          </Link>
        }
        value={count(problems)}
        hint={t('sinceMidnight')}
        alarming={problems > 0}
      />
      <Figure
        name={
          <Link to="/subscriptions" search={{}}>
            {t('subscriptions')}
          </Link>
        }
        value={count(subscriptions)}
        hint={t('applications', { count: applications })}
      />
    </Figures>
  )
}
