import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Webhook as WebhookIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import type { Webhook } from '../api/types.ts'
import { useFolders } from '../parts/use-folders.ts'
import { useOrganization } from '../parts/use-organization.ts'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookState } from './webhook-state.tsx'
import classes from './webhooks.module.css'

/** One webhook: what it is, and what was sent to it. */
export function WebhookPage() {
  const { t } = useTranslation('documents-webhooks')
  const { id } = useParams({ from: '/shell/webhooks/$id' })
  const query = useOrganization()
  return (
    <Queried query={query}>
      {(organization) => {
        const webhook = organization.webhooks.find((one) => one.id === id)
        if (!webhook) return <PageState icon={WebhookIcon} title={t('gone')} isPage />
        const ref = { organizationId: organization.id, webhookId: id }
        return (
          <>
            <PageHead
              title={webhook.url}
              above={
                <Link to="/webhooks" className={classes.back!}>
                  <ArrowLeft size={16} aria-hidden="true" /> {t('back')}
                </Link>
              }
              lead={<WebhookState webhook={webhook} />}
            >
              <WebhookActions reference={ref} webhook={webhook} />
            </PageHead>
            <FactsPanel webhook={webhook} />
            <DeliveriesPanel reference={ref} />
          </>
        )
      }}
    </Queried>
  )
}

function FactsPanel({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('documents-webhooks')
  const { dateAndMinute } = useFormats()
  const { folders } = useFolders()
  const folderName = (id: string) => folders.find((folder) => folder.id === id)?.name ?? id
  return (
    <Panel title={t('facts.title')}>
      <Facts
        rows={[
          [t('columns.auth'), t(`authType.${webhook.authType}`)],
          [t('columns.events'), webhook.eventTypes === null ? t('allEvents') : webhook.eventTypes.join(', ')],
          [t('facts.folders'), webhook.folderIds?.map(folderName).join(', ')],
          [t('facts.order'), t(webhook.ordered ? 'facts.ordered' : 'facts.anyOrder')],
          [t('facts.registered'), dateAndMinute(webhook.creationDate)],
        ]}
      />
    </Panel>
  )
}
