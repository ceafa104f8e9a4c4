import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { meQuery } from '../api/session.ts'
import type { Organization } from '../api/types.ts'
import { useRights } from '../parts/rights.ts'
import { useOrganization } from '../parts/use-organization.ts'
import { ApplicationsPanel } from './applications-panel.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { BillingPanel } from './billing-panel.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { RightsPanel } from './rights-panel.tsx'
import { UsersPanel } from './users-panel.tsx'

/** The organization the user acts for: its data, users and applications. */
export function OrganizationPage() {
  const { t } = useTranslation('documents-organization')
  const query = useOrganization()
  const { isKnown, may } = useRights()
  return (
    <>
      <PageHead
        title={query.data?.name ?? t('title')}
        lead={isKnown && !may('organization.change') && t('notAdministrator')}
      />
      <Queried query={query}>{(organization) => <Panels organization={organization} />}</Queried>
    </>
  )
}

/** Each part for those who may see it. */
function Panels({ organization }: { organization: Organization }) {
  const { may } = useRights()
  const { data: me } = useQuery(meQuery)
  return (
    <>
      {!organization.isPersonal && may('users.read') && (
        <UsersPanel editable={may('users.change')} invites={me?.emailEnabled ?? false} />
      )}
      {may('applications.manage') && <ApplicationsPanel organizationId={organization.id} />}
      <DetailsPanel organization={organization} editable={may('organization.change')} />
      {may('organization.change') && <BillingPanel organization={organization} />}
      {!organization.isPersonal && <RightsPanel />}
      {may('audit.read') && <AuditPanel organizationId={organization.id} />}
    </>
  )
}
