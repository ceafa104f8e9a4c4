import { Button } from '@mantine/core'
import { CopyButton } from '../clipboard/copy-button.tsx'
import { Dialog, DialogButtons } from '../parts/dialog.tsx'
import classes from './recovery-codes.module.css'

export interface RecoveryCodesDialogProps {
  codes: readonly string[]
  texts: { title: string; text: string; what: string; taken: string }
  onClose: () => void
}

/** Shows the recovery codes, which cannot be shown again; only the button that confirms they were saved closes it. */
export function RecoveryCodesDialog({ codes, texts, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog title={texts.title} onClose={onClose} mustAnswer>
      <p>{texts.text}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <DialogButtons>
        <CopyButton text={codes.join('\n')} what={texts.what} />
        <Button onClick={onClose}>{texts.taken}</Button>
      </DialogButtons>
    </Dialog>
  )
}
