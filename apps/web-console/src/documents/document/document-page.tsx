import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { documentQuery } from '../api/documents.ts'
import type { DocumentView } from '../api/types.ts'
import { StatusChip } from '../parts/status-chip.tsx'
import classes from './document.module.css'
import { DocumentActions } from './document-actions.tsx'
import { DownloadsPanel } from './downloads-panel.tsx'
import { FlowPanel } from './flow-panel.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { TimelinePanel } from './timeline-panel.tsx'

/** A document: what it says, who acts on it, what happened. */
export function DocumentPage() {
  const { id } = useParams({ from: '/shell/documents/$id' })
  const query = useQuery(documentQuery(id))
  if (query.isLoadingError) return <Unavailable query={query} />
  return (
    <Queried query={query} lines={10}>
      {(document) => <Details document={document} />}
    </Queried>
  )
}

/** A document that cannot be read: the page keeps a heading and the link back. */
function Unavailable({ query }: { query: UseQueryResult<DocumentView> }) {
  const { t } = useTranslation('documents-document')
  return (
    <>
      <PageHead title={t('title')} above={<Back />} />
      <Queried query={query}>{() => null}</Queried>
    </>
  )
}

function Back() {
  const { t } = useTranslation('documents-document')
  return (
    <Link to="/documents" className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" /> {t('back')}
    </Link>
  )
}

function Details({ document }: { document: DocumentView }) {
  const { t } = useTranslation('documents-document')
  const { statusUpdateReason, statusUpdatedBy } = document
  return (
    <>
      <PageHead
        title={document.name}
        above={<Back />}
        lead={
          <span className={classes.lead}>
            <StatusChip status={document.status} />
            {statusUpdateReason && statusUpdatedBy && (
              <span>{t('reason', { name: statusUpdatedBy.name, reason: statusUpdateReason })}</span>
            )}
          </span>
        }
      >
        {!document.isDeleted && <DocumentActions document={document} />}
      </PageHead>
      {document.isDeleted && (
        <p className={classes.deleted}>
          <Trash2 size={18} aria-hidden="true" /> {t('deleted')}
        </p>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <PreviewPanel document={document} />
        </div>
        <div className={classes.column}>
          <FlowPanel document={document} />
          <DownloadsPanel document={document} />
          <FactsPanel document={document} />
          <TimelinePanel documentId={document.id} />
        </div>
      </div>
    </>
  )
}

function FactsPanel({ document }: { document: DocumentView }) {
  const { t } = useTranslation('documents-document')
  const { dateAndMinute, dateUtc, bytes } = useFormats()
  const { key } = document
  return (
    <Panel title={t('facts.title')}>
      <Facts
        rows={[
          [
            t('facts.key'),
            <span key="key" className={classes.copied}>
              <code>{key}</code>
              <CopyButton text={key} what={t('facts.key')} />
            </span>,
          ],
          [
            t('facts.validate'),
            <Link key="validate" to="/validate/$key" params={{ key }}>
              /validate/{key}
            </Link>,
          ],
          [t('facts.file'), document.filename],
          [t('facts.size'), bytes(document.fileSize)],
          [t('facts.folder'), document.folder?.name],
          [t('facts.createdBy'), document.createdBy.name],
          [t('facts.created'), dateAndMinute(document.creationDate)],
          [t('facts.updated'), dateAndMinute(document.updateDate)],
          [t('facts.expires'), document.expirationDateWithoutTime && dateUtc(document.expirationDateWithoutTime)],
          [t('facts.message'), document.description],
          [t('facts.tags'), document.tags.map(({ label, value }) => (label ? `${label}: ${value}` : value)).join(', ')],
          [t('facts.observers'), document.observers.map(({ user }) => user.name).join(', ')],
          [t('facts.notified'), document.notifiedEmails.join(', ')],
        ]}
      />
    </Panel>
  )
}
