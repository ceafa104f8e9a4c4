import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import type { Proof } from '../api/types.ts'
import { CodeInput } from '../parts/code-input.tsx'

export interface ProofDialogProps {
  title: string
  text: string
  /** The verb on the button. */
  confirm: string
  /** Whether the account has an authenticator app. */
  withCode: boolean
  danger?: boolean
  /** On rejection the dialog stays and shows the error; otherwise it decides itself what comes next. */
  onProof: (proof: Proof) => Promise<unknown>
  onClose: () => void
}

/** Asks the owner of an account for the password and the code: an unlocked browser alone changes nothing. */
export function ProofDialog({ title, text, confirm, withCode, danger, onProof, onClose }: ProofDialogProps) {
  const { t } = useTranslation(['documents-account', 'documents-password', 'shared'])
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    setState({ busy: true })
    try {
      const code = withCode && { code: String(typed.get('code')) }
      await onProof({ password: String(typed.get('password')), ...code })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return (
    <Dialog title={title} busy={state.busy} onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'contents' }}>
        <p>{text}</p>
        <PasswordInput
          name="password"
          label={t('password.present')}
          autoComplete="current-password"
          maxLength={200}
          required
          visibilityToggleButtonProps={{ 'aria-label': t('documents-password:showPassword') }}
        />
        {withCode && <CodeInput />}
        {state.failure !== undefined && <ProblemNote error={state.failure} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose} disabled={state.busy}>
            {t('shared:dialog.back')}
          </Button>
          <Button type="submit" loading={state.busy} {...(danger && { color: 'red' })}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
