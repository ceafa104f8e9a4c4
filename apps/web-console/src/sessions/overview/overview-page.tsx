import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { beginOfDay, today } from '../../console/parts/days.ts'
import { NoticesPanel } from '../../console/parts/notices-panel.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { Figure, Figures } from '../../shared/parts/figures.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { overviewQuery } from '../api/activity.ts'
import { certificateStatuses, type Overview } from '../api/types.ts'
import classes from './overview.module.css'

/** The current activity; each figure links to its page. */
export function OverviewPage() {
  const { t } = useTranslation('sessions-overview')
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
            <Now overview={overview} />
            <Today signatures={overview.signaturesToday} day={day} />
            <Certificates overview={overview} />
          </>
        )}
      </Queried>
    </>
  )
}

/** Where each is looked after. */
const places = {
  'held-certificates-expiring': '/certificates',
  'agents-offline': '/workstations',
  'cpfs-locked': '/lockouts',
} as const

const placeOf = (cause: string, title: string) =>
  cause in places ? <Link to={places[cause as keyof typeof places]}>{title}</Link> : title

function Section({ title }: { title: string }) {
  return <h2 className={classes.section}>{title}</h2>
}

function Now({ overview }: { overview: Overview }) {
  const { t } = useTranslation('sessions-overview')
  const { count } = useFormats()
  const { liveSessions, allowance, workstations, lockedCpfs } = overview
  return (
    <>
      <Section title={t('now')} />
      <Figures label={t('now')}>
        <Figure
          name={<Link to="/sessions">{t('liveSessions')}</Link>}
          value={count(liveSessions)}
          hint={allowance === null ? t('noAllowance') : t('allowance', { count: allowance })}
        />
        <Figure
          name={<Link to="/workstations">{t('online')}</Link>}
          value={count(workstations.online)}
          hint={t('workstationsHint', { offline: count(workstations.offline), waiting: count(workstations.waiting) })}
        />
        <Figure
          name={<Link to="/lockouts">{t('locked')}</Link>}
          value={count(lockedCpfs)}
          hint={t('lockedHint')}
          alarming={lockedCpfs > 0}
        />
        <Signer signer={overview.signer} />
      </Figures>
    </>
  )
}

/** The service that signatures are made at. */
function Signer({ signer: { endpoint, reachable } }: { signer: Overview['signer'] }) {
  const { t } = useTranslation('sessions-overview')
  return (
    <Figure
      name={t('signer')}
      hint={reachable ? endpoint : `${endpoint} · ${t('unreachableHint')}`}
      alarming={!reachable}
    >
      <p className={classes.signer}>
        <Chip icon={reachable ? CircleCheck : CircleX} tone={reachable ? 'good' : 'bad'}>
          {t(reachable ? 'reachable' : 'unreachable')}
        </Chip>
      </p>
    </Figure>
  )
}

function Today({ signatures: { signed, failed }, day }: { signatures: Overview['signaturesToday']; day: string }) {
  const { t } = useTranslation('sessions-overview')
  const { count } = useFormats()
  return (
    <>
      <Section title={t('today')} />
      <Figures label={t('today')}>
        <Figure
          name={
            <Link to="/signatures" search={{ state: 'Signed', from: day }}>
              {t('signed')}
            </Link>
          }
          value={count(signed)}
          hint={t('sinceMidnight')}
        />
        <Figure
          name={
            <Link to="/signatures" search={{ from: day }}>
              {t('failed')}
            </Link>
          }
          value={count(failed)}
          hint={t('sinceMidnight')}
          alarming={failed > 0}
        />
      </Figures>
    </>
  )
}

function Certificates({ overview: { certificates, expiringSoon } }: { overview: Overview }) {
  const { t } = useTranslation(['sessions-overview', 'sessions', 'sessions-certificates'])
  const { count } = useFormats()
  return (
    <>
      <Section title={t('certificates')} />
      <Figures label={t('certificates')}>
        <Figure
          name={
            <Link to="/certificates" search={{ status: 'ACTIVE' }}>
              {t('expiring')}
            </Link>
          }
          value={count(expiringSoon)}
          hint={t('expiringHint')}
          alarming={expiringSoon > 0}
        />
        {certificateStatuses.map((status) => (
          <Figure
            key={status}
            name={
              <Link to="/certificates" search={{ status }}>
                {t(`sessions:verdict.${status}`)}
              </Link>
            }
            value={count(certificates[status] ?? 0)}
          />
        ))}
      </Figures>
    </>
  )
}
