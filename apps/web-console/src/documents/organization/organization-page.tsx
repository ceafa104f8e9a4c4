import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { meQuery } from '../api/session.ts'
import { useOrganization } from '../parts/use-organization.ts'
import { ApplicationsPanel } from './applications-panel.tsx'
import { BillingPanel } from './billing-panel.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { UsersPanel } from './users-panel.tsx'

/** The organization the user acts for: its data, users and applications. */
export function OrganizationPage() {
  const { t } = useTranslation('documents-organization')
  const query = useOrganization()
  const { data: me } = useQuery(meQuery)
  const isAdministrator = me?.roles.administrator ?? false
  return (
    <>
      <PageHead title={query.data?.name ?? t('title')} lead={me && !isAdministrator && t('notAdministrator')} />
      <Queried query={query}>
        {(organization) => (
          <>
            {!organization.isPersonal && <UsersPanel editable={isAdministrator} />}
            {isAdministrator && <ApplicationsPanel organizationId={organization.id} />}
            <DetailsPanel organization={organization} editable={isAdministrator} />
            {isAdministrator && <BillingPanel organization={organization} />}
          </>
        )}
      </Queried>
    </>
  )
}
