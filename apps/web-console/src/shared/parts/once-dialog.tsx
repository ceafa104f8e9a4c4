import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../clipboard/copy-button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import classes from './once-dialog.module.css'

export interface OnceDialogProps {
  title: string
  text: string
  value: string
  /** Names it for the copy button. */
  what: string
  taken: string
  /** What to do with it, below. */
  children?: ReactNode
  onClose: () => void
}

/** Shows a value that cannot be shown again; only the button that confirms it was saved closes the dialog. */
export function OnceDialog({ title, text, value, what, taken, children, onClose }: OnceDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} mustAnswer>
      <p>{text}</p>
      <div className={classes.secret}>
        <code className={classes.value} translate="no">
          {value}
        </code>
        <CopyButton text={value} what={what} />
      </div>
      {children}
      <DialogButtons>
        <Button onClick={onClose}>{taken}</Button>
      </DialogButtons>
    </Dialog>
  )
}
