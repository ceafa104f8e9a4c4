import { Button } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Access, refuse } from '../api/participant.ts'

/** Refuses the document, with a reason. */
export function RefuseButton({ access, onRefused }: { access: Access; onRefused: () => void }) {
  const { t } = useTranslation('documents-participant')
  const [asking, setAsking] = useState(false)

  async function act(reason: string | undefined) {
    await refuse(access, reason ?? '')
    onRefused()
  }

  return (
    <>
      <Button variant="default" leftSection={<CircleX size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
        {t('refuse')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('refuseTitle')}
          confirm={t('refuse')}
          danger
          withReason="required"
          onConfirm={act}
          onClose={() => setAsking(false)}
        >
          {t('refuseText')}
        </ConfirmDialog>
      )}
    </>
  )
}
