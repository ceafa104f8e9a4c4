import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SessionsPanel } from '../../shared/sessions/sessions-panel.tsx'
import { endOtherSessions, endSession, sessionsQuery } from '../api/session.ts'
import type { AccountSession } from '../api/types.ts'

/** Where the account is signed in, and for which organization. */
export function OwnSessions() {
  const { t } = useTranslation('documents-account')
  const query = useQuery({ ...sessionsQuery, select: (sessions) => sessions.map(listed) })
  const title = t('organizationOfSession')
  return (
    <SessionsPanel
      query={query}
      endOne={endSession}
      endOthers={endOtherSessions}
      further={[{ key: 'organization', title, cell: ({ organization }) => organization.name }]}
    />
  )
}

const listed = ({ creationDate, lastUseDate, ipAddress, ...session }: AccountSession) => ({
  ...session,
  begunAt: creationDate,
  lastUsedAt: lastUseDate,
  address: ipAddress,
})
