import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import parts from '../../console/parts/parts.module.css'
import { useCodeText } from '../../shared/bundle.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { HubSession, SessionState } from '../api/types.ts'
import { SessionChip } from '../parts/chips.tsx'
import { HolderText } from '../parts/holder-text.tsx'

/** Sessions that can still be used. */
const live: readonly SessionState[] = ['pending', 'authorized', 'reserved']

export interface SessionsTableProps {
  sessions: readonly HubSession[]
  onEnd: (session: HubSession) => void
}

export function SessionsTable({ sessions, onEnd }: SessionsTableProps) {
  const { t } = useTranslation(['hub-activity', 'hub', 'console'])
  const { explain } = useCodeText()
  const { dateAndMinute } = useFormats()
  const columns: readonly Column<HubSession>[] = [
    {
      key: 'provider',
      title: t('sessions.columns.provider'),
      isHeader: true,
      cell: ({ provider, type }) => (
        <span className={parts.stack}>
          <span>{provider.name || t('gone')}</span>
          <span className={parts.small}>{t(`hub:sessionType.${type}`)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('sessions.columns.state'),
      cell: ({ state, reason }) => (
        <span className={parts.stack}>
          <SessionChip state={state} />
          {reason && <span className={parts.small}>{explain(reason, reason)}</span>}
        </span>
      ),
    },
    {
      key: 'holder',
      title: t('sessions.columns.holder'),
      cell: (session) => <HolderText of={session} />,
    },
    {
      key: 'application',
      title: t('sessions.columns.application'),
      cell: ({ application }) => application.name || t('gone'),
    },
    { key: 'created', title: t('sessions.columns.created'), cell: ({ createdAt }) => dateAndMinute(createdAt) },
    {
      key: 'until',
      title: t('sessions.columns.until'),
      cell: ({ expiresAt, endedAt }) => dateAndMinute(endedAt ?? expiresAt),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (session) => (
        <span className={parts.rowButtons}>
          <Link to="/uses" search={{ sessionId: session.id }}>
            {t('sessions.uses')}
          </Link>
          {live.includes(session.state) && (
            <May right="sessions.end">
              <EndButton session={session} onEnd={onEnd} />
            </May>
          )}
        </span>
      ),
    },
  ]
  return <DataTable caption={t('sessions.title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

function EndButton({ session, onEnd }: { session: HubSession; onEnd: SessionsTableProps['onEnd'] }) {
  const { t } = useTranslation('hub-activity')
  const { provider, application } = session
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('sessions.endOf', { provider: provider.name, application: application.name })}
      onClick={() => onEnd(session)}
    >
      {t('sessions.end')}
    </Button>
  )
}
