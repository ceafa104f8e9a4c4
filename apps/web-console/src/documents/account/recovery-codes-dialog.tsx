import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import classes from './account.module.css'

/** Shows the recovery codes, which cannot be shown again; only the button that confirms they were saved closes it. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('documents-account')
  return (
    <Dialog title={t('codes.title')} onClose={onClose} mustAnswer>
      <p>{t('codes.text')}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <DialogButtons>
        <CopyButton text={codes.join('\n')} what={t('codes.what')} />
        <Button onClick={onClose}>{t('codes.taken')}</Button>
      </DialogButtons>
    </Dialog>
  )
}
