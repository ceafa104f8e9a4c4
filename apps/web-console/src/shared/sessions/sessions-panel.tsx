import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../format/use-formats.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { Queried } from '../parts/queried.tsx'
import { useAction } from '../parts/use-action.ts'
import { BrowserCell } from './browser-cell.tsx'

/** A session as every service can show it. */
interface ListedSession {
  readonly id: string
  readonly begunAt: string
  readonly lastUsedAt: string
  readonly address: string
  readonly userAgent: string
  readonly isCurrent: boolean
}

interface SessionsPanelProps<Session extends ListedSession> {
  /** Defaults are about the reader's own sessions. */
  title?: string
  lead?: string
  query: UseQueryResult<readonly Session[]>
  endOne: (id: string) => Promise<unknown>
  endOthers: () => Promise<{ readonly ended: number }>
  /** Besides where it came from and when. */
  further?: readonly Column<Session>[]
  /** Whose it is, where the list is of several people. */
  who?: (session: Session) => string
  none?: string
}

/** Where people are signed in, and the way to end that. */
export function SessionsPanel<Session extends ListedSession>(props: SessionsPanelProps<Session>) {
  const { t } = useTranslation()
  const { query, endOthers, title = t('sessions.title'), lead = t('sessions.lead') } = props
  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent)
  return (
    <Panel title={title} lead={lead} actions={hasOthers && <EndOthers end={endOthers} />}>
      <Queried query={query}>
        {(sessions) =>
          sessions.length === 0 ? <p>{props.none}</p> : <Sessions {...props} title={title} sessions={sessions} />
        }
      </Queried>
    </Panel>
  )
}

type SessionsProps<Session extends ListedSession> = SessionsPanelProps<Session> & {
  title: string
  sessions: readonly Session[]
}

function Sessions<Session extends ListedSession>(props: SessionsProps<Session>) {
  const { t } = useTranslation()
  const { dateAndMinute } = useFormats()
  const { sessions, title, endOne, further = [], who } = props
  const columns: readonly Column<Session>[] = [
    ...further.filter(({ isHeader }) => isHeader),
    {
      key: 'browser',
      title: t('sessions.browser'),
      isHeader: !further.some(({ isHeader }) => isHeader),
      cell: (session) => <BrowserCell session={session} />,
    },
    { key: 'from', title: t('sessions.from'), cell: ({ address }) => address },
    ...further.filter(({ isHeader }) => !isHeader),
    { key: 'since', title: t('sessions.since'), cell: ({ begunAt }) => dateAndMinute(begunAt) },
    { key: 'last', title: t('sessions.last'), cell: ({ lastUsedAt }) => dateAndMinute(lastUsedAt) },
    {
      key: 'actions',
      title: t('sessions.actions'),
      quiet: true,
      cell: (session) => !session.isCurrent && <EndOne session={session} who={who?.(session)} end={endOne} />,
    },
  ]
  return <DataTable caption={title} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

interface EndOneProps {
  session: ListedSession
  who: string | undefined
  end: (id: string) => Promise<unknown>
}

function EndOne({ session: { id, address: from }, who, end }: EndOneProps) {
  const { t } = useTranslation()
  const { run, busy } = useAction(end, () => t('sessions.ended', { count: 1 }))
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      aria-label={who === undefined ? t('sessions.endOf', { from }) : t('sessions.endOfWho', { who, from })}
      onClick={() => void run(id)}
    >
      {t('sessions.end')}
    </Button>
  )
}

function EndOthers({ end }: { end: () => Promise<{ readonly ended: number }> }) {
  const { t } = useTranslation()
  const { run, busy } = useAction(end, ({ ended }) => t('sessions.ended', { count: ended }))
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
