import { Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogButtons } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

/** Longest reason the service takes. */
const MAX_REASON_LENGTH = 512

export interface ConfirmDialogProps {
  title: string
  /** What will happen, in one or two sentences. */
  children: ReactNode
  /** The verb on the button. */
  confirm: string
  danger?: boolean
  /** Whether a reason may or must be given; the service stores it. */
  withReason?: boolean | 'required'
  /** A word that must be typed first, for actions that cannot be undone. */
  word?: string
  onConfirm: (reason: string | undefined) => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation, and stays open with the error when the service refuses. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setState({ busy: true })
    try {
      await props.onConfirm(reason.trim() || undefined)
      props.onClose()
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return (
    <Dialog title={props.title} onClose={props.onClose} busy={state.busy}>
      <form onSubmit={submit} style={{ display: 'contents' }}>
        <div>{props.children}</div>
        {props.withReason && (
          <Textarea
            label={t('dialog.reason')}
            {...(props.withReason === 'required' ? { required: true } : { description: t('dialog.reasonHint') })}
            maxLength={MAX_REASON_LENGTH}
            rows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {props.word && (
          <TextInput
            label={t('dialog.typeWord', { word: props.word })}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {state.failure !== undefined && <ProblemNote error={state.failure} />}
        <DialogButtons>
          <Button variant="default" onClick={props.onClose} disabled={state.busy}>
            {t('dialog.back')}
          </Button>
          <Button
            type="submit"
            loading={state.busy}
            disabled={props.word !== undefined && typed !== props.word}
            {...(props.danger && { color: 'red' })}
          >
            {props.confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
