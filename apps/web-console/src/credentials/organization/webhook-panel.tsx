import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { eventKinds } from '../api/types.ts'
import { putWebhook, testWebhook, webhookQuery } from '../api/webhooks.ts'
import { WebhookForm } from '../parts/webhook-form.tsx'

/** The one webhook of the organization. */
export function WebhookPanel({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('credentials-organization')
  const [tests, setTests] = useState(false)
  return (
    <Panel title={t('webhook.title')} lead={t('webhook.lead')}>
      <Queried query={useQuery(webhookQuery(organizationId))}>
        {(stored) => (
          <WebhookForm stored={stored} save={(body) => putWebhook(organizationId, body)}>
            <Button
              variant="default"
              disabled={!stored.enabled}
              leftSection={<Send size={16} aria-hidden="true" />}
              onClick={() => setTests(true)}
            >
              {t('webhook.test')}
            </Button>
          </WebhookForm>
        )}
      </Queried>
      {tests && <TestDialog organizationId={organizationId} onClose={() => setTests(false)} />}
    </Panel>
  )
}

type Kind = (typeof eventKinds)[number]

function TestDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { t } = useTranslation(['credentials-organization', 'credentials-events'])
  const [kind, setKind] = useState<Kind>('Degree')
  const { attempt } = useAction(
    () => testWebhook(organizationId, kind),
    () => t('webhook.tested'),
  )
  return (
    <FormDialog
      title={t('webhook.testTitle')}
      confirm={t('webhook.send')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <p>{t('webhook.testText')}</p>
      <NativeSelect
        label={t('webhook.testKind')}
        data={eventKinds.map((value) => ({ value, label: t(`credentials-events:entity.${value}`) }))}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
      />
    </FormDialog>
  )
}
