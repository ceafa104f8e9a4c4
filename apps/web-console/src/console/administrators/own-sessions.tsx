import { useQuery } from '@tanstack/react-query'
import { SessionsPanel } from '../../shared/sessions/sessions-panel.tsx'
import { endOtherSessions, endSession, ownSessionsQuery } from '../api/sessions.ts'

/** Where the administrator is signed in. */
export function OwnSessions() {
  return <SessionsPanel query={useQuery(ownSessionsQuery)} endOne={endSession} endOthers={endOtherSessions} />
}
