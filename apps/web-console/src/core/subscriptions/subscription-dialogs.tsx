import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeSubscription, createSubscription } from '../api/management.ts'
import type { Subscription } from '../api/types.ts'

/** Names a new subscription, or another one anew. */
export function NameDialog({ subscription, onClose }: { subscription?: Subscription; onClose: () => void }) {
  const { t } = useTranslation(['core-subscriptions', 'core'])
  const [name, setName] = useState(subscription?.name ?? '')
  const { attempt } = useAction(
    () => (subscription ? changeSubscription(subscription.id, { name: name.trim() }) : createSubscription(name.trim())),
    (made) => t(subscription ? 'renamed' : 'created', { name: made.name }),
  )
  return (
    <FormDialog
      title={subscription ? t('renameOf', { name: subscription.name }) : t('add')}
      confirm={t(subscription ? 'rename' : 'core:create')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('core:name')}
        maxLength={100}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

export function DisableDialog({
  subscription: { id, name },
  onClose,
}: {
  subscription: Subscription
  onClose: () => void
}) {
  const { t } = useTranslation(['core-subscriptions', 'core'])
  const { attempt } = useAction(
    () => changeSubscription(id, { disabled: true }),
    () => t('disabled', { name }),
  )
  return (
    <ConfirmDialog
      title={t('core:disableOf', { name })}
      confirm={t('core:disable')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('disableText')}
    </ConfirmDialog>
  )
}
