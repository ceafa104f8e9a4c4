import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { revokeActionUrls } from '../api/documents.ts'

export interface RevokeLinksDialogProps {
  documentId: string
  /** Whose links; all of the document without. */
  action?: { readonly id: string; readonly name: string } | undefined
  onClose: () => void
}

/** Ends the links that were made so far, wherever they got to. */
export function RevokeLinksDialog({ documentId, action, onClose }: RevokeLinksDialogProps) {
  const { t } = useTranslation('documents-document')
  const { attempt } = useAction(
    () => revokeActionUrls(documentId, action && { flowActionId: action.id }),
    () => t('flow.revoked'),
  )
  return (
    <ConfirmDialog
      title={action ? t('flow.revokeTitle', { name: action.name }) : t('flow.revokeAllTitle')}
      confirm={t('flow.revoke')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('flow.revokeText')}
    </ConfirmDialog>
  )
}
