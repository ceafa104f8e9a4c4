import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, FolderX, HardDrive, Hourglass, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useAction } from '../../shared/parts/use-action.ts'
import { tryProfile } from '../api/actions.ts'
import { conditionsQuery } from '../api/queries.ts'
import type { Conditions } from '../api/types.ts'
import classes from './conditions.module.css'
import { daysBetween } from './days-between.ts'
import { useTryFolder } from './use-try-folder.ts'

/** What keeps files waiting, and what will soon; nothing while all is well. */
export function ConditionsBand() {
  const { t } = useTranslation('batch-conditions')
  const { data } = useQuery(conditionsQuery)
  if (!data || (!data.storage && data.held.length + data.folders.length + data.expiring.length === 0)) return null
  return (
    <section aria-label={t('title')} className={classes.band}>
      {data.storage && <StorageRow storage={data.storage} />}
      {data.held.map((hold) => (
        <HeldRow key={hold.profile} hold={hold} />
      ))}
      {data.folders.map((hold) => (
        <FolderRow key={hold.folder} hold={hold} />
      ))}
      {data.expiring.map((certificate) => (
        <ExpiringRow key={certificate.profile} certificate={certificate} />
      ))}
    </section>
  )
}

interface RowProps {
  icon: typeof Hourglass
  tone: 'bad' | 'warning'
  title: ReactNode
  action?: ReactNode
  children?: ReactNode
}

function Row({ icon: Icon, tone, title, action, children }: RowProps) {
  return (
    <div className={classes.row} data-tone={tone}>
      <Icon size={20} aria-hidden="true" className={classes.icon!} />
      <div className={classes.text}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
      {action}
    </div>
  )
}

function StorageRow({ storage }: { storage: NonNullable<Conditions['storage']> }) {
  const { t } = useTranslation('batch-conditions')
  const { dateAndTime } = useFormats()
  return (
    <Row icon={HardDrive} tone="bad" title={t('storage', { since: dateAndTime(storage.since) })}>
      <p className={classes.detail}>{storage.reason}</p>
    </Row>
  )
}

function HeldRow({ hold }: { hold: Conditions['held'][number] }) {
  const { t } = useTranslation('batch-conditions')
  const { dateAndTime, count, timeOfDay } = useFormats()
  const trying = useAction(tryProfile, ({ held }) =>
    t(held.some(({ profile }) => profile === hold.profile) ? 'stillHeld' : 'signsAgain', { profile: hold.profile }),
  )
  const next = hold.nextTryAt ? t('next', { at: timeOfDay(hold.nextTryAt) }) : t('noNext')
  const action = (
    <TryButton busy={trying.busy} onClick={() => void trying.run(hold.profile)}>
      {t('tryNow', { profile: hold.profile })}
    </TryButton>
  )
  const title = (
    <>
      <ProfileLink name={hold.profile} />: {t(`reasons.${hold.reason}` as 'reasons.key-missing')}
    </>
  )
  return (
    <Row icon={Hourglass} tone="bad" title={title} action={action}>
      <p className={classes.detail}>
        {t('waiting', { count: hold.waiting, shown: count(hold.waiting) })}{' '}
        {t('since', { since: dateAndTime(hold.since) })} {next}
      </p>
      <p className={classes.detail}>{hold.message}</p>
    </Row>
  )
}

function TryButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: string }) {
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      leftSection={<RefreshCw size={14} aria-hidden="true" />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

function FolderRow({ hold }: { hold: Conditions['folders'][number] }) {
  const { t } = useTranslation('batch-conditions')
  const { dateAndTime, count, timeOfDay } = useFormats()
  const trying = useTryFolder(hold.folder)
  const action = (
    <TryButton busy={trying.busy} onClick={trying.run}>
      {t('tryFolder', { folder: hold.folder })}
    </TryButton>
  )
  const title = (
    <>
      <Link to="/folders">{hold.folder}</Link>: {t(`folderReasons.${hold.reason}` as 'folderReasons.output-full')}
    </>
  )
  return (
    <Row icon={FolderX} tone="bad" title={title} action={action}>
      <p className={classes.detail}>
        {t('waiting', { count: hold.waiting, shown: count(hold.waiting) })}{' '}
        {t('folderSince', { since: dateAndTime(hold.since) })}{' '}
        {hold.nextTryAt && t('next', { at: timeOfDay(hold.nextTryAt) })}
      </p>
      <p className={classes.detail}>{hold.message}</p>
    </Row>
  )
}

function ExpiringRow({ certificate }: { certificate: Conditions['expiring'][number] }) {
  const { t } = useTranslation('batch-conditions')
  const { inDays, dateAndMinute } = useFormats()
  const now = useNow(60_000)
  const isOver = Date.parse(certificate.notAfter) <= now
  const days = daysBetween(new Date(now), new Date(certificate.notAfter))
  return (
    <Row
      icon={CalendarClock}
      tone={isOver || days <= 1 ? 'bad' : 'warning'}
      title={
        <>
          <ProfileLink name={certificate.profile} />: {t(isOver ? 'expired' : 'expires', { when: inDays(days) })}
        </>
      }
    >
      <p className={classes.detail}>
        {t('until', { holder: certificate.holder, until: dateAndMinute(certificate.notAfter) })}
      </p>
    </Row>
  )
}

function ProfileLink({ name }: { name: string }) {
  return (
    <Link to="/profiles/$name" params={{ name }}>
      {name}
    </Link>
  )
}
