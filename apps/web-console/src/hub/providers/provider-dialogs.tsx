import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { registerAtProvider, removeProvider } from '../api/providers.ts'
import type { Provider } from '../api/types.ts'

interface ProviderDialogProps {
  provider: Provider
  onClose: () => void
}

/** Registers the hub at a provider, which answers with its client id and secret. */
export function RegisterDialog({ provider: { id, serviceName, clientId }, onClose }: ProviderDialogProps) {
  const { t } = useTranslation('hub-providers')
  const [draft, setDraft] = useState({ name: '', email: '', comments: '' })
  const { attempt } = useAction(
    () => {
      const { name, email, comments } = draft
      return registerAtProvider(id, {
        name: name.trim(),
        email: email.trim(),
        ...(comments.trim() !== '' && { comments: comments.trim() }),
      })
    },
    () => t('registered', { name: serviceName }),
  )
  const field = (name: keyof typeof draft) => ({
    label: t(`registration.${name}`),
    description: t(`registration.${name}Hint`),
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  })
  return (
    <FormDialog
      title={t('registerOf', { name: serviceName })}
      confirm={t('register')}
      ready={draft.name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <p>{t('registration.text')}</p>
      {clientId !== '' && <p>{t('registration.replaces')}</p>}
      <TextInput required maxLength={200} autoFocus {...field('name')} />
      <TextInput type="email" required maxLength={254} {...field('email')} />
      <TextInput maxLength={500} {...field('comments')} />
    </FormDialog>
  )
}

export function RemoveDialog({
  provider: { id, serviceName: name },
  onRemoved,
  onClose,
}: ProviderDialogProps & { onRemoved: () => void }) {
  const { t } = useTranslation('hub-providers')
  const { attempt } = useAction(
    () => removeProvider(id),
    () => t('removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('removeOf', { name })}
      confirm={t('remove')}
      danger
      onConfirm={() => attempt(undefined).then(onRemoved)}
      onClose={onClose}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}
