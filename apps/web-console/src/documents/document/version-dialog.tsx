import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { addEnvelopeVersion, addVersion } from '../api/documents.ts'
import type { DocumentView, FileReference } from '../api/types.ts'
import { referenceTo, uploadFile } from '../new/use-new-files.ts'

const upload = async (file: File): Promise<FileReference> =>
  referenceTo(file, (await uploadFile(file, () => {}, new AbortController().signal)).id)

/** Replaces the file of a document, or the files of an envelope. */
export function VersionDialog({ document, onClose }: { document: DocumentView; onClose: () => void }) {
  const { t } = useTranslation('documents-document')
  const [files, setFiles] = useState<readonly File[]>([])
  const { attempt } = useAction(
    async () => {
      const references = await Promise.all(files.map(upload))
      if (document.isEnvelope) await addEnvelopeVersion(document.id, references, document.name)
      else await addVersion(document.id, references[0]!)
    },
    () => t('actions.versionDone'),
  )
  return (
    <FormDialog
      title={t('actions.versionTitle')}
      confirm={t('actions.version')}
      danger
      ready={files.length > 0}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <p>{t('actions.versionText')}</p>
      <FileField
        label={t(document.isEnvelope ? 'actions.versionFiles' : 'actions.versionFile')}
        accept={document.mimeType}
        multiple={document.isEnvelope}
        chosen={files.map(({ name }) => name).join(', ') || undefined}
        onFiles={setFiles}
      />
    </FormDialog>
  )
}
