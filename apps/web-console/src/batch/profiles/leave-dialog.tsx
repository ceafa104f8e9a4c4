import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'

/** Asks before unsaved edits are lost. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <Dialog title={t('leave.title')} onClose={onStay}>
      <p>{t('leave.text')}</p>
      <DialogButtons>
        <Button variant="default" onClick={onLeave}>
          {t('leave.leave')}
        </Button>
        <Button onClick={onStay}>{t('leave.stay')}</Button>
      </DialogButtons>
    </Dialog>
  )
}
