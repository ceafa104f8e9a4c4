import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, ShieldAlert, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { meQuery } from '../api/session.ts'
import { eventTypes, type Me, type Webhook } from '../api/types.ts'
import { may } from '../parts/rights.ts'
import { useOrganization } from '../parts/use-organization.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { RegisterDialog } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

/** Where events of the organization are sent. */
export function WebhooksPage() {
  const { t } = useTranslation('documents-webhooks')
  const query = useOrganization()
  const { data: me } = useQuery(meQuery)
  const [registering, setRegistering] = useState(false)
  const [secret, setSecret] = useState<string>()
  const hindered = me && hindrance(me)
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        {query.data && !hindered && (
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setRegistering(true)}>
            {t('register')}
          </Button>
        )}
      </PageHead>
      {hindered ? (
        <PageState icon={ShieldAlert} title={t(hindered)} />
      ) : (
        <Queried query={query}>{({ webhooks }) => <List webhooks={webhooks} />}</Queried>
      )}
      {registering && query.data && (
        <RegisterDialog organizationId={query.data.id} onRegistered={setSecret} onClose={() => setRegistering(false)} />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

/** Why this visitor has no webhooks to manage; undefined where there may be some. */
function hindrance(me: Me): 'personal' | 'notAdministrator' | undefined {
  if (me.organization.isPersonal) return 'personal'
  return may(me, 'webhooks.manage') ? undefined : 'notAdministrator'
}

function List({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { t } = useTranslation('documents-webhooks')
  const columns: readonly Column<Webhook>[] = [
    {
      key: 'file',
      title: t('columns.url'),
      isHeader: true,
      cell: ({ id, url }) => (
        <Link to="/webhooks/$id" params={{ id }}>
          {url}
        </Link>
      ),
    },
    { key: 'auth', title: t('columns.auth'), cell: ({ authType }) => t(`authType.${authType}`) },
    {
      key: 'events',
      title: t('columns.events'),
      cell: ({ eventTypes: some }) =>
        some === null ? t('allEvents') : t('someEvents', { count: some.length, all: eventTypes.length }),
    },
    { key: 'state', title: t('columns.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
  ]
  if (webhooks.length === 0)
    return (
      <PageState icon={WebhookIcon} title={t('empty.title')}>
        {t('empty.text')}
      </PageState>
    )
  return <DataTable caption={t('caption')} columns={columns} rows={webhooks} rowKey={({ id }) => id} />
}
