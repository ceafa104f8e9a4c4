import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { createApplication, createKey } from '../api/applications.ts'
import type { Application } from '../api/types.ts'
import { NewKeyDialog } from './key-dialogs.tsx'
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

/** Creates a key, with what the service adds to it. */
export function KeyDialog({ application: { id, name }, Fields, ...rest }: KeyDialogProps) {
  const [further, setFurther] = useState<KeyFields>({})
  return (
    <NewKeyDialog name={name} onCreate={(draft) => createKey(id, { ...draft, ...further })} {...rest}>
      <Fields onChange={setFurther} />
    </NewKeyDialog>
  )
}
