import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { endOtherSessions, endSession, ownSessionsQuery } from '../api/sessions.ts'
import type { OwnSession } from '../api/types.ts'
import { BrowserCell } from './browser-cell.tsx'

/** Where the administrator is signed in, and the way to end that. */
export function SessionsPanel() {
  const { t } = useTranslation('console-sessions')
  const query = useQuery(ownSessionsQuery)
  return (
    <Panel title={t('title')} lead={t('lead')} actions={query.data && query.data.length > 1 && <EndOthers />}>
      <Queried query={query}>{(sessions) => <Sessions sessions={sessions} />}</Queried>
    </Panel>
  )
}

function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const { t } = useTranslation('console-sessions')
  const { dateAndMinute } = useFormats()
  const columns: readonly Column<OwnSession>[] = [
    {
      key: 'browser',
      title: t('columns.browser'),
      isHeader: true,
      cell: (session) => <BrowserCell session={session} />,
    },
    { key: 'from', title: t('columns.from'), cell: ({ address }) => address },
    { key: 'since', title: t('columns.since'), cell: ({ begunAt }) => dateAndMinute(begunAt) },
    { key: 'last', title: t('columns.last'), cell: ({ lastUsedAt }) => dateAndMinute(lastUsedAt) },
    {
      key: 'actions',
      title: t('columns.actions'),
      quiet: true,
      cell: (session) => !session.isCurrent && <EndOne session={session} />,
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

function EndOne({ session: { id, address } }: { session: OwnSession }) {
  const { t } = useTranslation('console-sessions')
  const { run, busy } = useAction(endSession, () => t('ended', { count: 1 }))
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={t('endOf', { from: address })}
      onClick={() => void run(id)}
    >
      {t('end')}
    </Button>
  )
}

function EndOthers() {
  const { t } = useTranslation('console-sessions')
  const { run, busy } = useAction(endOtherSessions, ({ ended }) => t('ended', { count: ended }))
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      leftSection={<LogOut size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t('endOthers')}
    </Button>
  )
}
