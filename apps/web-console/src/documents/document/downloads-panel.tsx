import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { downloadOnce } from '../../shared/api/download.ts'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { attachmentAddress, contentAddress } from '../api/documents.ts'
import { type ContentType, contentTypes, type DocumentView } from '../api/types.ts'
import classes from './document.module.css'

/** Forms that exist for PDF files only. */
const ofPdf: readonly ContentType[] = ['OriginalWithMarks', 'SignatureMarks', 'SigningTags']

/** The forms a document has in its status; the service decides in the end. */
function availableTypes({ status, hasSignature, mimeType }: DocumentView): readonly ContentType[] {
  const ended = status === 'Canceled' || status === 'Expired' || status === 'Refused'
  return contentTypes.filter((type) => {
    if (ended) return type === 'Original' || type === 'PrinterFriendlyVersion'
    if (ofPdf.includes(type) && mimeType !== 'application/pdf') return false
    return type !== 'Signatures' || hasSignature
  })
}

/** The document in each of its forms, and what was attached to it. */
export function DownloadsPanel({ document }: { document: DocumentView }) {
  const { t } = useTranslation(['documents-document', 'documents'])
  const { id, attachments } = document
  return (
    <Panel title={t('downloads.title')}>
      <ul className={classes.downloads}>
        {availableTypes(document).map((type) => (
          <DownloadRow
            key={type}
            name={t(`documents:content.${type}`)}
            address={contentAddress(id, type)}
            fileName={document.filename}
          />
        ))}
      </ul>
      {attachments.length > 0 && (
        <>
          <h3 className={classes.subtitle}>{t('downloads.attachments')}</h3>
          <ul className={classes.downloads}>
            {attachments.map((attachment) => (
              <DownloadRow
                key={attachment.id}
                name={attachment.displayName}
                address={attachmentAddress(id, attachment.id)}
                fileName={attachment.name}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function DownloadRow({ name, address, fileName }: { name: string; address: string; fileName: string }) {
  const { t } = useTranslation('documents-document')
  const { failed } = useNotices()
  return (
    <li>
      <Button
        variant="subtle"
        size="sm"
        aria-label={t('downloads.of', { what: name })}
        leftSection={<Download size={16} aria-hidden="true" />}
        onClick={() => void downloadOnce(address, fileName).catch(failed)}
      >
        {name}
      </Button>
    </li>
  )
}
