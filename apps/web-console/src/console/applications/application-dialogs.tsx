import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { createApplication, createKey, revokeKey, switchApplication } from '../api/applications.ts'
import type { Application } from '../api/types.ts'
import { beginOfDay, isDay, today } from '../parts/days.ts'
import type { KeyExtras, KeyFields } from './key-extras.ts'

export type Key = Application['keys'][number]

/** The dialog that is open. */
export type Open =
  | { kind: 'application' }
  | { kind: 'key'; application: Application }
  | { kind: 'revoke'; key: Key }
  | { kind: 'disable'; application: Application }

export function NewApplicationDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console-applications')
  const [name, setName] = useState('')
  const { attempt } = useAction(
    () => createApplication(name.trim()),
    (made) => t('created', { name: made.name }),
  )
  return (
    <FormDialog
      title={t('add')}
      confirm={t('create')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        maxLength={100}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

export interface KeyDialogProps {
  application: Application
  Fields: KeyExtras['Fields']
  onMade: (key: string) => void
  onClose: () => void
}

/** Creates a key; it expires at the end of its last day in the administrator's time zone. */
export function KeyDialog({ application: { id, name }, Fields, onMade, onClose }: KeyDialogProps) {
  const { t } = useTranslation('console-applications')
  const [description, setDescription] = useState('')
  const [lastDay, setLastDay] = useState('')
  const [further, setFurther] = useState<KeyFields>({})
  const { attempt } = useAction(
    async () => {
      const expiresAt = isDay(lastDay) ? beginOfDay(lastDay, 1) : null
      onMade((await createKey(id, { description: description.trim(), expiresAt, ...further })).key)
    },
    () => t('keyMade'),
  )
  return (
    <FormDialog
      title={t('newKeyOf', { name })}
      confirm={t('create')}
      ready={description.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('description')}
        maxLength={200}
        required
        autoFocus
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <TextInput
        label={t('expiry')}
        description={t('expiryHint')}
        type="date"
        min={today(Date.now())}
        value={lastDay}
        onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
      />
      <Fields onChange={setFurther} />
    </FormDialog>
  )
}

export function RevokeDialog({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { t } = useTranslation('console-applications')
  const { id, description: name } = apiKey
  const { attempt } = useAction(
    () => revokeKey(id),
    () => t('revoked', { name }),
  )
  return (
    <ConfirmDialog
      title={t('revokeOf', { name })}
      confirm={t('revoke')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('revokeText')}
    </ConfirmDialog>
  )
}

export function DisableDialog({
  application: { id, name },
  onClose,
}: {
  application: Application
  onClose: () => void
}) {
  const { t } = useTranslation('console-applications')
  const { attempt } = useAction(
    () => switchApplication(id, true),
    () => t('wasDisabled', { name }),
  )
  return (
    <ConfirmDialog
      title={t('disableOf', { name })}
      confirm={t('disable')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('disableText')}
    </ConfirmDialog>
  )
}
