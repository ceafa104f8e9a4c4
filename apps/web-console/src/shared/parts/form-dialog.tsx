import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogButtons } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

export interface FormDialogProps {
  title: string
  /** The verb on the button. */
  confirm: string
  danger?: boolean
  wide?: boolean
  /** Whether the form can be sent. */
  ready?: boolean
  children: ReactNode
  /** On rejection the dialog stays open with what was typed and shows the error. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
}

/** A form in a dialog, which closes when the service has accepted it. */
export function FormDialog({
  title,
  confirm,
  danger,
  wide,
  ready = true,
  children,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setState({ busy: true })
    try {
      await onSubmit()
      onClose()
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return (
    <Dialog title={title} busy={state.busy} onClose={onClose} {...(wide && { wide })}>
      <form onSubmit={submit} style={{ display: 'contents' }}>
        {children}
        {state.failure !== undefined && <ProblemNote error={state.failure} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose} disabled={state.busy}>
            {t('dialog.back')}
          </Button>
          <Button type="submit" loading={state.busy} disabled={!ready} {...(danger && { color: 'red' })}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
