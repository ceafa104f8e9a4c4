import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { editFlow } from '../api/documents.ts'

export interface RemoveParticipantDialogProps {
  documentId: string
  flowActionId: string
  name: string
  onClose: () => void
}

/** Removes a participant who has not acted from the flow. */
export function RemoveParticipantDialog({ documentId, flowActionId, name, onClose }: RemoveParticipantDialogProps) {
  const { t } = useTranslation('documents-document')
  const { attempt } = useAction(
    () => editFlow(documentId, { deletedFlowActionIds: [flowActionId] }),
    () => t('flow.removed', { name }),
  )
  return (
    <ConfirmDialog
      title={t('flow.removeTitle', { name })}
      confirm={t('flow.remove')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('flow.removeText')}
    </ConfirmDialog>
  )
}
