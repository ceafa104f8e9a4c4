import { Button } from '@mantine/core'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import classes from './once-dialog.module.css'

export interface OnceDialogProps {
  title: string
  text: string
  value: string
  /** Names it for the button that copies it. */
  what: string
  taken: string
  onClose: () => void
}

/** Shows something that is never shown again. */
export function OnceDialog({ title, text, value, what, taken, onClose }: OnceDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div className={classes.secret}>
        <code className={classes.value}>{value}</code>
        <CopyButton text={value} what={what} />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{taken}</Button>
      </DialogButtons>
    </Dialog>
  )
}
