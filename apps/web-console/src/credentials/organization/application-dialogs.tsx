import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteItem, saveItem } from '../api/lists.ts'
import { createKey, revokeKey } from '../api/organization.ts'
import { type Application, type ApplicationKey, type Role, roles } from '../api/types.ts'

/** What is being done with an application. */
export type ApplicationAct =
  | { kind: 'add' }
  | { kind: 'change' | 'remove' | 'key'; application: Application }
  | { kind: 'revoke'; application: Application; key: ApplicationKey }

export interface ApplicationDialogProps {
  act: ApplicationAct
  /** Called with a new key, which the service returns only once. */
  onKey: (key: string) => void
  onClose: () => void
}

export function ApplicationDialog({ act, onKey, onClose }: ApplicationDialogProps) {
  switch (act.kind) {
    case 'add':
      return <SettingsDialog onClose={onClose} />
    case 'change':
      return <SettingsDialog application={act.application} onClose={onClose} />
    case 'key':
      return <KeyDialog application={act.application} onKey={onKey} onClose={onClose} />
    case 'remove':
      return <RemoveDialog application={act.application} onClose={onClose} />
    case 'revoke':
      return <RevokeDialog application={act.application} apiKey={act.key} onClose={onClose} />
  }
}

/** A new application, or another role of one, or whether its keys are accepted; the name is part of its keys. */
function SettingsDialog({ application, onClose }: { application?: Application; onClose: () => void }) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const [name, setName] = useState(application?.name ?? '')
  const [role, setRole] = useState<Role>(application?.role ?? 'Gerente')
  const [disabled, setDisabled] = useState(application?.disabled ?? false)
  const { attempt } = useAction(
    () =>
      saveItem<Application>(
        'applications',
        application?.id,
        application ? { role, disabled } : { name: name.trim(), role },
      ),
    (saved) => t(application ? 'applications.changed' : 'applications.created', { name: saved.name }),
  )
  return (
    <FormDialog
      title={application ? t('applications.changeOf', { name: application.name }) : t('applications.add')}
      confirm={t('credentials:save')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      {!application && (
        <TextInput
          label={t('applications.name')}
          maxLength={100}
          required
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <NativeSelect
        label={t('users.role')}
        description={t(`users.roleHints.${role}`)}
        data={roles.map((value) => ({ value, label: t(`credentials:role.${value}`) }))}
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
      />
      {application && (
        <Switch
          label={t('applications.accepted')}
          checked={!disabled}
          onChange={({ currentTarget }) => setDisabled(!currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}

function KeyDialog({
  application,
  onKey,
  onClose,
}: { application: Application } & Omit<ApplicationDialogProps, 'act'>) {
  const { t } = useTranslation('credentials-organization')
  const [description, setDescription] = useState('')
  const [day, setDay] = useState('')
  const { attempt } = useAction(
    () =>
      createKey(application.id, {
        description: description.trim(),
        // To the end of the day, where the visitor is.
        ...(day && { expirationDate: new Date(`${day}T23:59:59`).toISOString() }),
      }),
    () => t('applications.keyMade'),
  )
  return (
    <FormDialog
      title={t('applications.newKeyOf', { name: application.name })}
      confirm={t('applications.newKey')}
      onSubmit={async () => onKey((await attempt(undefined)).key)}
      onClose={onClose}
    >
      <TextInput
        label={t('applications.description')}
        description={t('applications.descriptionHint')}
        maxLength={200}
        required
        autoFocus
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('applications.expires')}
        description={t('applications.expiresHint')}
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
    </FormDialog>
  )
}

function RemoveDialog({ application: { id, name }, onClose }: { application: Application; onClose: () => void }) {
  const { t } = useTranslation(['credentials-organization', 'credentials'])
  const { attempt } = useAction(
    () => deleteItem('applications', id),
    () => t('applications.removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('applications.removeOf', { name })}
      confirm={t('credentials:remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('applications.removeText')}
    </ConfirmDialog>
  )
}

interface RevokeProps {
  application: Application
  apiKey: ApplicationKey
  onClose: () => void
}

function RevokeDialog({ application, apiKey, onClose }: RevokeProps) {
  const { t } = useTranslation('credentials-organization')
  const { attempt } = useAction(
    () => revokeKey(application.id, apiKey.id),
    () => t('applications.revoked'),
  )
  return (
    <ConfirmDialog
      title={t('applications.revokeOf', { name: apiKey.description })}
      confirm={t('applications.revoke')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('applications.revokeText')}
    </ConfirmDialog>
  )
}
