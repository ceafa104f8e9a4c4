import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LogOut, Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { browserName } from '../../shared/format/browser-name.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { endOtherSessions, endSession, sessionsQuery } from '../api/session.ts'
import type { AccountSession } from '../api/types.ts'
import classes from './account.module.css'

/** Where the account is signed in, and the way to end that. */
export function SessionsPanel() {
  const { t } = useTranslation('documents-account')
  const query = useQuery(sessionsQuery)
  return (
    <Panel
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      actions={query.data && query.data.length > 1 && <EndOthers />}
    >
      <Queried query={query}>{(sessions) => <Sessions sessions={sessions} />}</Queried>
    </Panel>
  )
}

function Sessions({ sessions }: { sessions: readonly AccountSession[] }) {
  const { t } = useTranslation('documents-account')
  const { dateAndTime } = useFormats()
  const columns: readonly Column<AccountSession>[] = [
    {
      key: 'browser',
      title: t('sessions.columns.browser'),
      isHeader: true,
      cell: ({ userAgent, isCurrent }) => (
        <span className={classes.where} title={userAgent}>
          {browserName(userAgent) || t('sessions.unknown')}{' '}
          {isCurrent && (
            <Chip icon={Monitor} tone="good">
              {t('sessions.here')}
            </Chip>
          )}
        </span>
      ),
    },
    { key: 'from', title: t('sessions.columns.from'), cell: ({ ipAddress }) => ipAddress },
    { key: 'organization', title: t('sessions.columns.organization'), cell: ({ organization }) => organization.name },
    { key: 'since', title: t('sessions.columns.since'), cell: ({ creationDate }) => dateAndTime(creationDate) },
    { key: 'last', title: t('sessions.columns.last'), cell: ({ lastUseDate }) => dateAndTime(lastUseDate) },
    {
      key: 'actions',
      title: t('sessions.columns.actions'),
      quiet: true,
      cell: (session) => !session.isCurrent && <EndOne session={session} />,
    },
  ]
  return <DataTable caption={t('sessions.title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

function EndOne({ session: { id, ipAddress } }: { session: AccountSession }) {
  const { t } = useTranslation('documents-account')
  const { run, busy } = useAction(endSession, () => t('sessions.ended', { count: 1 }))
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={t('sessions.endOf', { from: ipAddress })}
      onClick={() => void run(id)}
    >
      {t('sessions.end')}
    </Button>
  )
}

function EndOthers() {
  const { t } = useTranslation('documents-account')
  const { run, busy } = useAction(endOtherSessions, ({ ended }) => t('sessions.ended', { count: ended }))
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      leftSection={<LogOut size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t('sessions.endOthers')}
    </Button>
  )
}
