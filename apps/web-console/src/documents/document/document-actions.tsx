import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Ban, FilePen, FolderInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { cancelDocument, deleteDocument, moveDocument } from '../api/documents.ts'
import type { DocumentView } from '../api/types.ts'
import { FolderSelect } from '../parts/folder-select.tsx'
import { useRights } from '../parts/rights.ts'
import { VersionDialog } from './version-dialog.tsx'

const dialogs = { move: MoveDialog, version: VersionDialog, cancel: CancelDialog, delete: DeleteDialog }

const icons = { move: FolderInput, version: FilePen, cancel: Ban, delete: Trash2 }

type Name = keyof typeof dialogs

/** What can be done to a document; nothing for those who may only read it. */
export function DocumentActions({ document }: { document: DocumentView }) {
  const { t } = useTranslation('documents-document')
  const { mayWith } = useRights()
  const [open, setOpen] = useState<Name>()
  const Dialog = open && dialogs[open]
  const mayChange = mayWith('documents.change', document.createdBy)
  const offered: Readonly<Record<Name, boolean>> = {
    move: document.permissions.move,
    version: mayChange,
    cancel: mayChange && document.status === 'Pending',
    delete: mayChange,
  }
  const names = (Object.keys(offered) as Name[]).filter((name) => offered[name])
  return (
    <>
      {names.map((name) => {
        const Icon = icons[name]
        return (
          <Button
            key={name}
            variant="default"
            size="xs"
            leftSection={<Icon size={14} aria-hidden="true" />}
            onClick={() => setOpen(name)}
          >
            {t(`actions.${name}`)}
          </Button>
        )
      })}
      {Dialog && <Dialog document={document} onClose={() => setOpen(undefined)} />}
    </>
  )
}

interface DialogProps {
  document: DocumentView
  onClose: () => void
}

function MoveDialog({ document, onClose }: DialogProps) {
  const { t } = useTranslation(['documents-document', 'documents-new'])
  const [folderId, setFolderId] = useState(document.folder?.id ?? null)
  const { attempt } = useAction(
    () => moveDocument(document.id, folderId),
    () => t('actions.moved'),
  )
  return (
    <FormDialog
      title={t('actions.moveTitle')}
      confirm={t('actions.move')}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <FolderSelect
        label={t('actions.moveTo')}
        none={t('documents-new:more.noFolder')}
        value={folderId}
        onChange={setFolderId}
      />
    </FormDialog>
  )
}

function CancelDialog({ document, onClose }: DialogProps) {
  const { t } = useTranslation('documents-document')
  const { attempt } = useAction(
    (reason: string) => cancelDocument(document.id, reason),
    () => t('actions.canceled'),
  )
  return (
    <ConfirmDialog
      title={t('actions.cancelTitle')}
      confirm={t('actions.cancel')}
      danger
      withReason="required"
      onConfirm={(reason) => attempt(reason ?? '')}
      onClose={onClose}
    >
      {t('actions.cancelText')}
    </ConfirmDialog>
  )
}

function DeleteDialog({ document, onClose }: DialogProps) {
  const { t } = useTranslation('documents-document')
  const navigate = useNavigate()
  const { attempt } = useAction(
    async () => {
      await deleteDocument(document.id)
      await navigate({ to: '/documents', search: document.folder ? { folder: document.folder.id } : {} })
    },
    () => t('actions.deleteDone'),
  )
  return (
    <ConfirmDialog
      title={t('actions.deleteTitle')}
      confirm={t('actions.delete')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('actions.deleteText')}
    </ConfirmDialog>
  )
}
