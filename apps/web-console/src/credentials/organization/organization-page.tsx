import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { useOrganization, useRights } from '../parts/rights.ts'
import { ApplicationsPanel } from './applications-panel.tsx'
import { PlatformPanel } from './platform-panel.tsx'
import { UsersPanel } from './users-panel.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

/** The organization that the visitor works for: each part for those who may see it. */
export function OrganizationPage() {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const organization = useOrganization()
  const { may } = useRights()
  if (!organization) return null
  return (
    <>
      <PageHead
        title={organization.name}
        lead={may('users.manage') ? t('lead') : `${t('leadOfManager')} ${t('credentials:restricted')}`}
      />
      {may('webhooks.manage') && <WebhookPanel organizationId={organization.id} />}
      {may('document-platform.manage') && <PlatformPanel organizationId={organization.id} />}
      <UsersPanel />
      {may('applications.manage') && <ApplicationsPanel />}
    </>
  )
}
