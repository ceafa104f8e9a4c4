import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../shared/parts/data-table.tsx'
import { SessionsPanel } from '../../shared/sessions/sessions-panel.tsx'
import { endSession, endSessions } from '../api/actions.ts'
import { sessionsQuery } from '../api/queries.ts'
import type { Session } from '../api/types.ts'
import classes from './system.module.css'

/** Where operators and approvers are signed in. */
export function SessionsPanels() {
  return (
    <>
      <SessionsOf kind="operator" />
      <SessionsOf kind="approver" />
    </>
  )
}

function SessionsOf({ kind }: { kind: Session['kind'] }) {
  const { t } = useTranslation('batch-system')
  const query = useQuery({ ...sessionsQuery, select: ({ items }) => items.filter((session) => session.kind === kind) })
  const who: Column<Session> = {
    key: 'who',
    title: t('sessions.who'),
    isHeader: true,
    cell: ({ name, way }) => (
      <>
        {name}
        <span className={classes.below}>{t(`sessions.ways.${way}`)}</span>
      </>
    ),
  }
  return (
    <SessionsPanel
      title={t(`sessions.${kind}.title`)}
      lead={t(`sessions.${kind}.lead`)}
      none={t(`sessions.${kind}.none`)}
      query={query}
      endOne={endSession}
      endOthers={() => endSessions(kind)}
      further={[who]}
      who={({ name }) => name}
    />
  )
}
