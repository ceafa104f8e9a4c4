import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { removeUser, saveUser } from '../api/organization.ts'
import type { OrganizationUser } from '../api/types.ts'
import { userRoles } from './user-roles.ts'

export interface UserDialogProps {
  /** Absent for a new one. */
  user?: OrganizationUser
  /** Whether an invitation can be sent. */
  invites: boolean
  onClose: () => void
}

/** Adds a user, or changes name, address and roles of one; a CPF stays as it was given. */
export function UserDialog({ user, invites, onClose }: UserDialogProps) {
  const { t } = useTranslation('documents-organization')
  const [draft, setDraft] = useState({ name: user?.name ?? '', email: user?.email ?? '', identifier: '' })
  const [profile, setProfile] = useState(
    user?.accessProfile ?? { administrator: false, manager: false, operator: true },
  )
  const [name, email, identifier] = [draft.name.trim(), draft.email.trim(), draft.identifier.trim()]
  const isInvited = invites && !user?.hasAccount
  const { attempt } = useAction(
    () =>
      saveUser({
        ...(user && { id: user.id }),
        name,
        email,
        ...(identifier && { identifier }),
        accessProfile: profile,
      }),
    (saved) => t(isInvited ? 'users.invitedNow' : user ? 'users.changed' : 'users.added', { name: saved.name, email }),
  )
  const field = (key: keyof typeof draft) => ({
    value: draft[key],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [key]: currentTarget.value }),
  })
  return (
    <FormDialog
      title={user ? t('users.changeOf', { name: user.name }) : t('users.addTitle')}
      confirm={t(isInvited ? 'users.saveAndInvite' : 'users.save')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput label={t('users.name')} maxLength={200} required autoFocus {...field('name')} />
      <TextInput
        label={t('users.email')}
        type="email"
        maxLength={254}
        required
        {...(isInvited && { description: t('users.emailInvites') })}
        {...(user?.hasAccount && { description: t('users.emailOfAccount') })}
        {...field('email')}
      />
      {!user && <TextInput label={t('users.cpf')} maxLength={20} inputMode="numeric" {...field('identifier')} />}
      {userRoles.map((role) => (
        <Checkbox
          key={role}
          label={t(`users.roles.${role}`)}
          description={t(`users.roleHints.${role}`)}
          checked={profile[role]}
          onChange={({ currentTarget }) => setProfile({ ...profile, [role]: currentTarget.checked })}
        />
      ))}
    </FormDialog>
  )
}

export function RemoveUserDialog({ user, onClose }: { user: OrganizationUser; onClose: () => void }) {
  const { t } = useTranslation('documents-organization')
  const { name } = user
  const { attempt } = useAction(
    () => removeUser(user.id),
    () => t('users.removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('users.removeTitle', { name })}
      confirm={t('users.remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t(user.hasAccount ? 'users.removeText' : 'users.withdrawText')}
    </ConfirmDialog>
  )
}
