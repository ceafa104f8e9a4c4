import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { addPasskey, removePasskey, renamePasskey } from '../api/passkeys.ts'
import type { Passkey } from '../api/types.ts'

/** Longest name the service takes. */
const MAX_NAME_LENGTH = 100

export function AddPasskeyDialog({ onAdded, onClose }: { onAdded?: () => Promise<void>; onClose: () => void }) {
  const { t } = useTranslation('console-passkeys')
  const [name, setName] = useState('')
  const { attempt } = useAction(addPasskey, (made) => t('added', { name: made.name }))
  return (
    <FormDialog
      title={t('addTitle')}
      confirm={t('create')}
      ready={name.trim() !== ''}
      onSubmit={async () => {
        await attempt(name.trim())
        await onAdded?.()
      }}
      onClose={onClose}
    >
      <p>{t('addText')}</p>
      <NameField value={name} onChange={setName} />
    </FormDialog>
  )
}

interface PasskeyDialogProps {
  passkey: Passkey
  onClose: () => void
}

export function RenamePasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('console-passkeys')
  const [name, setName] = useState(passkey.name)
  const { attempt } = useAction(renamePasskey, (renamed) => t('renamed', { name: renamed.name }))
  return (
    <FormDialog
      title={t('renameOf', { name: passkey.name })}
      confirm={t('rename')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt({ id: passkey.id, name: name.trim() })}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation('console-passkeys')
  return (
    <TextInput
      label={t('name')}
      description={t('nameHint')}
      maxLength={MAX_NAME_LENGTH}
      autoComplete="off"
      autoFocus
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('console-passkeys')
  const { attempt } = useAction(removePasskey, () => t('removed', { name }))
  return (
    <ConfirmDialog
      title={t('removeOf', { name })}
      confirm={t('remove')}
      danger
      onConfirm={() => attempt(id)}
      onClose={onClose}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}
