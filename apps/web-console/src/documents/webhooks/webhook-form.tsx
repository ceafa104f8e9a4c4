import { Checkbox, NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { eventTypes, type Webhook, webhookAuthTypes } from '../api/types.ts'
import { changeWebhook, createWebhook, type WebhookRef } from '../api/webhooks.ts'
import { asChange, draftOf, keepsToken, newWebhook, type WebhookDraft } from './webhook-draft.ts'
import classes from './webhooks.module.css'

interface RegisterProps {
  organizationId: string
  /** Called with the signing secret, which the service returns only once. */
  onRegistered: (secret: string) => void
  onClose: () => void
}

/** Registers a webhook. */
export function RegisterDialog({ organizationId, onRegistered, onClose }: RegisterProps) {
  const { t } = useTranslation('documents-webhooks')
  const [draft, setDraft] = useState(newWebhook)
  const { attempt } = useAction(
    () => createWebhook(organizationId, asChange(draft)),
    () => t('form.registered'),
  )
  return (
    <FormDialog
      title={t('form.registerTitle')}
      confirm={t('form.register')}
      onSubmit={async () => onRegistered((await attempt(undefined)).secret)}
      onClose={onClose}
    >
      <Fields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

interface ChangeProps {
  reference: WebhookRef
  webhook: Webhook
  onClose: () => void
}

/** Changes a webhook. */
export function ChangeDialog({ reference, webhook, onClose }: ChangeProps) {
  const { t } = useTranslation('documents-webhooks')
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const { attempt } = useAction(
    () => changeWebhook(reference, asChange(draft)),
    () => t('form.saved'),
  )
  return (
    <FormDialog
      title={t('form.editTitle')}
      confirm={t('form.save')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <Fields draft={draft} stored={webhook} onChange={setDraft} />
    </FormDialog>
  )
}

interface FieldsProps {
  draft: WebhookDraft
  /** The webhook that is changed. */
  stored?: Webhook
  onChange: (draft: WebhookDraft) => void
}

function Fields({ draft, stored, onChange }: FieldsProps) {
  const { t } = useTranslation('documents-webhooks')
  const keeps = keepsToken(draft, stored)
  const set = (changes: Partial<WebhookDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      <TextInput
        type="url"
        label={t('form.url')}
        description={t('form.urlHint')}
        maxLength={2000}
        required
        value={draft.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      <NativeSelect
        label={t('form.auth')}
        data={webhookAuthTypes.map((value) => ({ value, label: t(`authType.${value}`) }))}
        value={draft.authType}
        onChange={({ currentTarget }) => set({ authType: currentTarget.value as WebhookDraft['authType'] })}
      />
      {draft.authType !== 'NoAuth' && (
        <PasswordInput
          label={t(`form.token.${draft.authType}`)}
          description={t(keeps ? 'form.tokenKept' : 'form.tokenHint')}
          autoComplete="off"
          maxLength={8000}
          required={!keeps}
          visibilityToggleButtonProps={{ 'aria-label': t('form.showToken') }}
          value={draft.token}
          onChange={({ currentTarget }) => set({ token: currentTarget.value })}
        />
      )}
      <Checkbox.Group
        label={t('form.events')}
        description={t('form.eventsHint')}
        value={[...draft.eventTypes]}
        onChange={(chosen) => set({ eventTypes: chosen })}
      >
        <div className={classes.events}>
          {eventTypes.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </div>
      </Checkbox.Group>
      <Switch
        label={t('form.ordered')}
        checked={draft.ordered}
        onChange={({ currentTarget }) => set({ ordered: currentTarget.checked })}
      />
    </>
  )
}
