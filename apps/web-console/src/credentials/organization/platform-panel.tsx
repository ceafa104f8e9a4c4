import { Button, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { ServiceWords } from '../../shared/parts/service-words.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { connectionQuery, forgetConnection, putConnection, testConnection } from '../api/document-platform.ts'
import type { Connection, ConnectionChange } from '../api/types.ts'
import { valueAt } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import classes from '../parts/parts.module.css'
import { useDraftForm } from '../parts/use-draft-form.ts'

interface OfOrganization {
  organizationId: string
}

/** The document platform at which people of the organization sign. */
export function PlatformPanel({ organizationId }: OfOrganization) {
  const { t } = useTranslation('credentials-organization')
  return (
    <Panel title={t('platform.title')} lead={t('platform.lead')}>
      <Queried query={useQuery(connectionQuery(organizationId))}>
        {(stored) => (
          <>
            <ConnectionForm organizationId={organizationId} stored={stored} />
            {stored.hasApiKey && <ConnectionButtons organizationId={organizationId} />}
          </>
        )}
      </Queried>
    </Panel>
  )
}

/** What is sent again: whether there is a key is told, the key never. */
const draftOf = ({ enabled, url, folderId }: Connection) => ({
  enabled,
  url: url ?? '',
  folderId: folderId ?? '',
  apiKey: '',
})

function ConnectionForm({ organizationId, stored }: OfOrganization & { stored: Connection }) {
  const { t } = useTranslation('credentials-organization')
  const form = useDraftForm(
    draftOf(stored),
    (body) => putConnection(organizationId, body as ConnectionChange),
    () => t('platform.saved'),
  )

  async function submit(event: Parameters<typeof form.submit>[0]) {
    if (await form.submit(event)) form.set('apiKey', '')
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <Switch
        label={t('platform.enabled')}
        checked={valueAt(form.draft, 'enabled') === true}
        onChange={({ currentTarget }) => form.set('enabled', currentTarget.checked)}
      />
      <div className={classes.form}>
        <TextInput type="url" className={classes.wide!} maxLength={2000} required {...form.field('url')} />
        <PasswordInput
          description={t(stored.hasApiKey ? 'platform.keyKept' : 'platform.keyHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={1000}
          visibilityToggleButtonProps={{ 'aria-label': t('platform.showKey') }}
          {...form.field('apiKey')}
        />
        <TextInput maxLength={64} {...form.field('folderId')} />
        <TextInput className={classes.wide!} readOnly label={t('platform.webhookUrl')} value={stored.webhookUrl} />
      </div>
      <FormEnd form={form} />
    </form>
  )
}

function ConnectionButtons({ organizationId }: OfOrganization) {
  const { t } = useTranslation('credentials-organization')
  const [tested, setTested] = useState<Awaited<ReturnType<typeof testConnection>>>()
  const test = useAction(
    () => testConnection(organizationId),
    ({ works }) => t(works ? 'platform.works' : 'platform.fails'),
  )
  const forget = useAction(
    () => forgetConnection(organizationId),
    () => t('platform.forgotten'),
  )
  return (
    <>
      <div className={classes.buttons}>
        <Button
          variant="default"
          loading={test.busy}
          leftSection={<PlugZap size={16} aria-hidden="true" />}
          onClick={async () => setTested(await test.run(undefined))}
        >
          {t('platform.test')}
        </Button>
        <Button variant="subtle" loading={forget.busy} onClick={() => void forget.run(undefined)}>
          {t('platform.forget')}
        </Button>
      </div>
      {tested?.problem && (
        <div className={classes.problem}>
          <ServiceWords text={tested.problem} messages={tested.problemMessages} />
        </div>
      )}
    </>
  )
}
