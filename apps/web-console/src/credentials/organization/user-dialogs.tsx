import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteItem, saveItem } from '../api/lists.ts'
import { type InvitedUser, type Role, roles, type User } from '../api/types.ts'

export interface UserDialogProps {
  /** Absent for a new one. */
  user?: User
  onInvited?: (user: InvitedUser) => void
  onClose: () => void
}

/** Invites a person, or changes name and role of one; an address stays as it was invited. */
export function UserDialog({ user, onInvited, onClose }: UserDialogProps) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const [draft, setDraft] = useState({
    name: user?.name ?? '',
    email: user?.email ?? '',
    role: user?.role ?? 'Gerente',
  })
  const { name, email, role } = draft
  const { attempt } = useAction(
    () => saveItem<InvitedUser>('users', user?.id, { name, role, ...(!user && { email: email.trim() }) }),
    ({ invitationMailed }) =>
      invitationMailed ? t('users.mailed', { email }) : t(user ? 'users.changed' : 'users.invitedNow', { name }),
  )
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })

  async function submit() {
    const saved = await attempt(undefined)
    if (!user) onInvited?.(saved)
  }

  return (
    <FormDialog
      title={user ? t('users.changeOf', { name: user.name }) : t('users.add')}
      confirm={t(user ? 'credentials:save' : 'users.invite')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('users.name')}
        maxLength={255}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      {!user && (
        <TextInput
          label={t('users.email')}
          type="email"
          maxLength={254}
          required
          value={email}
          onChange={({ currentTarget }) => set({ email: currentTarget.value })}
        />
      )}
      <NativeSelect
        label={t('users.role')}
        description={t(`users.roleHints.${role}`)}
        data={roles.map((value) => ({ value, label: t(`credentials:role.${value}`) }))}
        value={role}
        onChange={({ currentTarget }) => set({ role: currentTarget.value as Role })}
      />
    </FormDialog>
  )
}

export function RemoveUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('credentials-organization')
  const { name } = user
  const { attempt } = useAction(
    () => deleteItem('users', user.id),
    () => t('users.removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('users.removeOf', { name })}
      confirm={t('users.remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t(user.accepted ? 'users.removeText' : 'users.withdrawText')}
    </ConfirmDialog>
  )
}
