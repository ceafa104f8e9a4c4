import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { BrowserCell } from '../../shared/sessions/browser-cell.tsx'
import { administratorSessionsQuery, signAdministratorOut } from '../api/sessions.ts'
import type { AdministratorSession } from '../api/types.ts'
import { May } from '../parts/may.tsx'

/** Who is signed in here, also from the identity provider, and the way to sign somebody out everywhere. */
export function EveryonesSessions() {
  const { t } = useTranslation('console-sessions')
  const query = useQuery(administratorSessionsQuery)
  const [email, setEmail] = useState<string>()
  return (
    <Panel title={t('all.title')} lead={t('all.lead')}>
      <Queried query={query}>{(sessions) => <Table sessions={sessions} onSignOut={setEmail} />}</Queried>
      {email !== undefined && <SignOutDialog email={email} onClose={() => setEmail(undefined)} />}
    </Panel>
  )
}

interface TableProps {
  sessions: readonly AdministratorSession[]
  onSignOut: (email: string) => void
}

function Table({ sessions, onSignOut }: TableProps) {
  const { t } = useTranslation(['console-sessions', 'shared'])
  const { dateAndMinute } = useFormats()
  const own = sessions.find(({ isCurrent }) => isCurrent)?.email
  const columns: readonly Column<AdministratorSession>[] = [
    { key: 'who', title: t('columns.who'), isHeader: true, cell: ({ email }) => email },
    { key: 'way', title: t('columns.way'), cell: ({ isLocal }) => t(isLocal ? 'all.local' : 'all.foreign') },
    { key: 'browser', title: t('shared:sessions.browser'), cell: (session) => <BrowserCell session={session} /> },
    { key: 'from', title: t('shared:sessions.from'), cell: ({ address }) => address },
    { key: 'last', title: t('shared:sessions.last'), cell: ({ lastUsedAt }) => dateAndMinute(lastUsedAt) },
    {
      key: 'actions',
      title: t('shared:sessions.actions'),
      quiet: true,
      cell: ({ email }) =>
        email !== own && (
          <May right="administrators.sign-out">
            <Button
              variant="default"
              size="xs"
              aria-label={t('all.signOutOf', { email })}
              onClick={() => onSignOut(email)}
            >
              {t('all.signOut')}
            </Button>
          </May>
        ),
    },
  ]
  return <DataTable caption={t('all.title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

function SignOutDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation(['console-sessions', 'shared'])
  const { attempt } = useAction(
    () => signAdministratorOut(email),
    ({ ended }) => t('shared:sessions.ended', { count: ended }),
  )
  return (
    <ConfirmDialog
      title={t('all.signOutOf', { email })}
      confirm={t('all.signOut')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('all.signOutText')}
    </ConfirmDialog>
  )
}
