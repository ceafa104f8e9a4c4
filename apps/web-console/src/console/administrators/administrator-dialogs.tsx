import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { createAdministrator, removeAdministrator, resetSecondFactor } from '../api/administrators.ts'
import type { Administrator, Role } from '../api/types.ts'
import { RoleField } from './role-field.tsx'

/** Shortest password the service takes. */
export const MIN_PASSWORD_LENGTH = 12

export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['console-administrators', 'console'])
  const [draft, setDraft] = useState({ name: '', email: '', password: '' })
  const [role, setRole] = useState<Role>('administrator')
  const { attempt } = useAction(
    () => createAdministrator({ ...draft, role, name: draft.name.trim(), email: draft.email.trim() }),
    ({ name }) => t('added', { name }),
  )
  const field = (name: keyof typeof draft) => ({
    required: true,
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  })
  return (
    <FormDialog
      title={t('addTitle')}
      confirm={t('create')}
      ready={draft.name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput label={t('name')} maxLength={200} autoFocus {...field('name')} />
      <TextInput label={t('email')} type="email" maxLength={254} autoComplete="off" {...field('email')} />
      <PasswordInput
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': t('console:showPassword') }}
        {...field('password')}
      />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  )
}

interface AdministratorDialogProps {
  administrator: Administrator
  onClose: () => void
}

/** For a phone that is lost. */
export function ResetDialog({ administrator: { id, name }, onClose }: AdministratorDialogProps) {
  const { t } = useTranslation('console-administrators')
  const { attempt } = useAction(
    () => resetSecondFactor(id),
    () => t('wasReset', { name }),
  )
  return (
    <ConfirmDialog
      title={t('resetOf', { name })}
      confirm={t('reset')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('resetText', { name })}
    </ConfirmDialog>
  )
}

export function RemoveDialog({ administrator: { id, name }, onClose }: AdministratorDialogProps) {
  const { t } = useTranslation('console-administrators')
  const { attempt } = useAction(
    () => removeAdministrator(id),
    () => t('removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('removeOf', { name })}
      confirm={t('remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}
