import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../shared/parts/page-head.tsx'
import { SessionsPanel } from '../../../shared/sessions/sessions-panel.tsx'
import { endOtherSessions, endSession, ownSessionsQuery } from '../api/portal-calls.ts'
import { PortalPage } from '../frame/portal-page.tsx'
import { BackLink } from '../parts/back-link.tsx'

/** Where the approver is signed in. */
export function SessionsPage() {
  return <PortalPage nobody={<Navigate to="/approvals/link-required" replace />}>{() => <OwnSessions />}</PortalPage>
}

function OwnSessions() {
  const { t } = useTranslation('batch-portal')
  const query = useQuery({ ...ownSessionsQuery, select: ({ items }) => items })
  return (
    <>
      <PageHead title={t('sessions.title')} above={<BackLink />} />
      <SessionsPanel lead={t('sessions.lead')} query={query} endOne={endSession} endOthers={endOtherSessions} />
    </>
  )
}
