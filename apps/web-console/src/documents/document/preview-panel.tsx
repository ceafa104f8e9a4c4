import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { contentAddress } from '../api/documents.ts'
import type { ContentType, DocumentView } from '../api/types.ts'
import { MarkBox } from '../pdf/mark-box.tsx'
import { asPlaced } from '../pdf/mark-geometry.ts'
import { PdfReader } from '../pdf/pdf-reader.tsx'
import classes from './document.module.css'

/** Preview of the document: with the signatures so far, and the places of pending ones. */
export function PreviewPanel({ document }: { document: DocumentView }) {
  const { t } = useTranslation(['documents-document', 'documents'])
  if (document.mimeType !== 'application/pdf')
    return (
      <Panel title={t('preview.title')}>
        <p className={classes.quiet}>{t('documents:pdf.noPreview')}</p>
      </Panel>
    )
  const waiting = document.flowActions
    .filter(({ status }) => status === 'Created' || status === 'Pending')
    .flatMap(({ id, user, ruleName, ruleUsers, marks }) => {
      const name = user?.name ?? ruleName ?? ruleUsers.map((person) => person.name).join(', ')
      return marks.map((mark, at) => ({ ...asPlaced(mark, `${id}-${at}`), name }))
    })
  return (
    <Panel title={t('preview.title')}>
      <PdfReader
        source={contentAddress(document.id, shownContent(document))}
        version={document.updateDate}
        overlay={(pageNumber, page) =>
          waiting
            .filter((mark) => mark.pageNumber === pageNumber)
            .map((mark) => <MarkBox key={mark.id} mark={mark} page={page} name={mark.name} own={false} />)
        }
      />
    </Panel>
  )
}

/** The signed document where there is one and its status allows reading it. */
const shownContent = ({ hasSignature, status }: DocumentView): ContentType =>
  hasSignature && (status === 'Pending' || status === 'FlowConcluded' || status === 'Concluded')
    ? 'Signatures'
    : 'Original'
