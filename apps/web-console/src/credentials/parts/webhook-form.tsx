import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Integration, type Webhook, webhookAuthTypes } from '../api/types.ts'
import { valueAt } from './draft.ts'
import { FormEnd } from './form-end.tsx'
import classes from './parts.module.css'
import { useDraftForm } from './use-draft-form.ts'

export interface WebhookFormProps<Stored extends Webhook | Integration> {
  stored: Stored
  save: (body: never) => Promise<Stored>
  /** Whether an institution may follow the organization's settings. */
  canFollow?: boolean
  /** Buttons beside the one that saves. */
  children?: ReactNode
}

/** What is sent again: whether there is a token is told, the token never. */
const draftOf = ({ hasToken: _, ...shown }: Webhook | Integration) => ({ ...shown, url: shown.url ?? '', token: '' })

/** The webhook of an organization or of an institution; its token is written and never read. */
export function WebhookForm<Stored extends Webhook | Integration>(props: WebhookFormProps<Stored>) {
  const { stored, save, canFollow = false, children } = props
  const { t } = useTranslation('credentials-organization')
  const form = useDraftForm(
    draftOf(stored),
    (body) => save(body as never),
    () => t('webhook.saved'),
  )
  const flag = (path: string) => ({
    checked: valueAt(form.draft, path) === true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => form.set(path, currentTarget.checked),
  })
  const authType = String(valueAt(form.draft, 'authType'))
  const keeps = stored.hasToken && stored.authType === authType
  const follows = valueAt(form.draft, 'shouldUseSubscriptionWebhookSettings') === true

  async function submit(event: Parameters<typeof form.submit>[0]) {
    if (await form.submit(event)) form.set('token', '')
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <Switch label={t('webhook.enabled')} {...flag('enabled')} />
      {canFollow && (
        <Switch
          label={t('webhook.follow')}
          description={t('webhook.followHint')}
          {...flag('shouldUseSubscriptionWebhookSettings')}
        />
      )}
      {!follows && (
        <div className={classes.form}>
          <TextInput type="url" className={classes.wide!} maxLength={2000} {...form.field('url')} />
          <NativeSelect
            data={webhookAuthTypes.map((value) => ({ value, label: t(`webhook.auth.${value}`) }))}
            {...form.field('authType')}
          />
          {authType !== 'NoAuth' && (
            <PasswordInput
              description={t(
                keeps ? 'webhook.tokenKept' : `webhook.tokenHint.${authType as 'Basic' | 'Bearer' | 'ApiKey'}`,
              )}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="off"
              maxLength={8000}
              visibilityToggleButtonProps={{ 'aria-label': t('webhook.showToken') }}
              {...form.field('token')}
            />
          )}
        </div>
      )}
      <FormEnd form={form}>{children}</FormEnd>
    </form>
  )
}
