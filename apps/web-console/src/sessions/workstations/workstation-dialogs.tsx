import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cpfsIn } from '../../shared/format/cpf.ts'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import type { EnrolmentCode, NewWorkstation, Workstation } from '../api/types.ts'
import { changeWorkstation, createEnrolmentCode, createWorkstation, revokeWorkstation } from '../api/workstations.ts'
import classes from './workstations.module.css'

interface AddDialogProps {
  onCode: (code: EnrolmentCode) => void
  onClose: () => void
}

export function AddDialog({ onCode, onClose }: AddDialogProps) {
  const { t } = useTranslation('sessions-workstations')
  const { attempt } = useAction(
    async (draft: NewWorkstation) => {
      const made = await createWorkstation(draft)
      onCode(made)
      return made
    },
    ({ workstation: { name } }) => t('added', { name }),
  )
  return <WorkstationForm title={t('addTitle')} confirm={t('create')} onDraft={attempt} onClose={onClose} />
}

interface WorkstationDialogProps {
  workstation: Workstation
  onClose: () => void
}

export function ChangeDialog({ workstation, onClose }: WorkstationDialogProps) {
  const { t } = useTranslation('sessions-workstations')
  const { attempt } = useAction(
    (draft: NewWorkstation) => changeWorkstation(workstation.id, draft),
    ({ name }) => t('changed', { name }),
  )
  return (
    <WorkstationForm
      title={t('changeOf', { name: workstation.name })}
      confirm={t('save')}
      workstation={workstation}
      onDraft={attempt}
      onClose={onClose}
    />
  )
}

interface WorkstationFormProps {
  title: string
  confirm: string
  workstation?: Workstation
  onDraft: (draft: NewWorkstation) => Promise<unknown>
  onClose: () => void
}

/** A name, and the CPFs whose certificates are taken from the machine. */
function WorkstationForm({ title, confirm, workstation, onDraft, onClose }: WorkstationFormProps) {
  const { t } = useTranslation('sessions-workstations')
  const [name, setName] = useState(workstation?.name ?? '')
  const [typed, setTyped] = useState(workstation?.cpfs.map(formatTaxId).join('\n') ?? '')
  const [isTyped, setIsTyped] = useState(false)
  const { cpfs, wrong } = cpfsIn(typed)
  return (
    <FormDialog
      title={title}
      confirm={confirm}
      ready={name.trim() !== '' && cpfs.length > 0 && wrong.length === 0}
      onSubmit={() => onDraft({ name: name.trim(), cpfs: [...cpfs] })}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        maxLength={100}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label={t('cpfs')}
        description={t('cpfsHint')}
        rows={3}
        required
        error={isTyped && wrong.length > 0 && t('cpfsWrong', { list: wrong.join(', ') })}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => setIsTyped(true)}
      />
    </FormDialog>
  )
}

/** For an agent that is set up again. */
export function AnotherCodeDialog({ workstation, onCode, onClose }: WorkstationDialogProps & AddDialogProps) {
  const { t } = useTranslation('sessions-workstations')
  const { id, name } = workstation
  const { attempt } = useAction(
    async () => onCode(await createEnrolmentCode(id)),
    () => t('codeMade', { name }),
  )
  return (
    <ConfirmDialog
      title={t('codeOf', { name })}
      confirm={t('code')}
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('codeAsk')}
    </ConfirmDialog>
  )
}

const effects = ['channel', 'certificates', 'sessions'] as const

export function RevokeDialog({ workstation: { id, name }, onClose }: WorkstationDialogProps) {
  const { t } = useTranslation('sessions-workstations')
  const { attempt } = useAction(
    () => revokeWorkstation(id),
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
      <p>{t('revokeText')}</p>
      <ul className={classes.effects}>
        {effects.map((effect) => (
          <li key={effect}>{t(`revokeEffects.${effect}`)}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
