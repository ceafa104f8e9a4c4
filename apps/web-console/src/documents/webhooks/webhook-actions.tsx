import { Button, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { eventTypes, type Webhook } from '../api/types.ts'
import { deleteWebhook, rotateSecret, sendTestEvent, setWebhookState, type WebhookRef } from '../api/webhooks.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { ChangeDialog } from './webhook-form.tsx'

type DialogName = 'edit' | 'test' | 'rotate' | 'delete'

const icons = { edit: Pencil, test: Send, rotate: KeyRound, delete: Trash2 }

/** What can be done to a webhook. */
export function WebhookActions({ reference, webhook }: { reference: WebhookRef; webhook: Webhook }) {
  const { t } = useTranslation('documents-webhooks')
  const [open, setOpen] = useState<DialogName>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)
  return (
    <>
      <StateButton reference={reference} webhook={webhook} />
      {dialogNames(webhook).map((name) => {
        const Icon = icons[name]
        return (
          <Button
            key={name}
            variant="default"
            size="xs"
            leftSection={<Icon size={14} aria-hidden="true" />}
            onClick={() => setOpen(name)}
          >
            {t(`actions.${name}`)}
          </Button>
        )
      })}
      {open === 'edit' && <ChangeDialog reference={reference} webhook={webhook} onClose={close} />}
      {open === 'test' && <TestDialog reference={reference} onClose={close} />}
      {open === 'rotate' && <RotateDialog reference={reference} onSecret={setSecret} onClose={close} />}
      {open === 'delete' && <DeleteDialog reference={reference} onClose={close} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

/** Nothing is sent to a disabled webhook, not even a test event. */
const dialogNames = ({ state }: Webhook): readonly DialogName[] =>
  state === 'disabled' ? ['edit', 'rotate', 'delete'] : ['test', 'edit', 'rotate', 'delete']

function StateButton({ reference, webhook: { state } }: { reference: WebhookRef; webhook: Webhook }) {
  const { t } = useTranslation('documents-webhooks')
  const next = state === 'enabled' ? 'paused' : 'enabled'
  const { run, busy } = useAction(
    () => setWebhookState(reference, next),
    () => t('actions.stateSet', { state: t(`state.${next}`) }),
  )
  const Icon = next === 'paused' ? Pause : Play
  return (
    <Button
      variant="default"
      size="xs"
      loading={busy}
      leftSection={<Icon size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t(next === 'paused' ? 'actions.pause' : 'actions.enable')}
    </Button>
  )
}

interface DialogProps {
  reference: WebhookRef
  onClose: () => void
}

function TestDialog({ reference, onClose }: DialogProps) {
  const { t } = useTranslation('documents-webhooks')
  const [type, setType] = useState<string>(eventTypes[0])
  const { attempt } = useAction(
    () => sendTestEvent(reference, type),
    () => t('actions.testSent'),
  )
  return (
    <FormDialog
      title={t('actions.testTitle')}
      confirm={t('actions.testSend')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <NativeSelect
        label={t('actions.testType')}
        data={[...eventTypes]}
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
      />
    </FormDialog>
  )
}

function RotateDialog({ reference, onSecret, onClose }: DialogProps & { onSecret: (secret: string) => void }) {
  const { t } = useTranslation('documents-webhooks')
  return (
    <ConfirmDialog
      title={t('actions.rotateTitle')}
      confirm={t('actions.rotate')}
      onConfirm={async () => onSecret((await rotateSecret(reference)).secret)}
      onClose={onClose}
    >
      {t('actions.rotateText')}
    </ConfirmDialog>
  )
}

function DeleteDialog({ reference, onClose }: DialogProps) {
  const { t } = useTranslation('documents-webhooks')
  const navigate = useNavigate()
  const { attempt } = useAction(
    async () => {
      await deleteWebhook(reference)
      await navigate({ to: '/webhooks' })
    },
    () => t('actions.deleted'),
  )
  return (
    <ConfirmDialog
      title={t('actions.deleteTitle')}
      confirm={t('actions.delete')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('actions.deleteText')}
    </ConfirmDialog>
  )
}
