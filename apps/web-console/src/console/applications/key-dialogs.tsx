// Dialogs about an application and its keys that look alike in every console; what they call is the bundle's own.
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { beginOfDay, isDay, today } from '../parts/days.ts'

/** What every new key has. */
interface KeyDraft {
  readonly description: string
  readonly expiresAt: string | null
}

export interface NewKeyDialogProps {
  /** Of the application. */
  name: string
  /** Makes the key; its answer is shown once. */
  onCreate: (draft: KeyDraft) => Promise<{ readonly key: string }>
  onMade: (key: string) => void
  onClose: () => void
  /** Further fields. */
  children?: ReactNode
}

/** Creates a key; it expires at the end of its last day in the administrator's time zone. */
export function NewKeyDialog({ name, onCreate, onMade, onClose, children }: NewKeyDialogProps) {
  const { t } = useTranslation('console-applications')
  const [description, setDescription] = useState('')
  const [lastDay, setLastDay] = useState('')
  const { attempt } = useAction(
    async () => {
      const expiresAt = isDay(lastDay) ? beginOfDay(lastDay, 1) : null
      onMade((await onCreate({ description: description.trim(), expiresAt })).key)
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
      {children}
    </FormDialog>
  )
}

export interface ConfirmedProps {
  /** Of the key or the application. */
  name: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

export function RevokeKeyDialog({ name, onConfirm, onClose }: ConfirmedProps) {
  const { t } = useTranslation('console-applications')
  const { attempt } = useAction(onConfirm, () => t('revoked', { name }))
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

export function DisableApplicationDialog({ name, onConfirm, onClose }: ConfirmedProps) {
  const { t } = useTranslation('console-applications')
  const { attempt } = useAction(onConfirm, () => t('wasDisabled', { name }))
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
