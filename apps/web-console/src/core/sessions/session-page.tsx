import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import parts from '../../console/parts/parts.module.css'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { cancelSession, sessionQuery } from '../api/sessions.ts'
import type { SessionDetail, SessionDocument } from '../api/types.ts'
import { DeliveryChip, DocumentChip, SessionChip } from './session-chips.tsx'

/** One session: how it stands, and each of its documents. What is in them is for the person who signs. */
export function SessionPage() {
  const { id } = useParams({ from: '/shell/signature-sessions/$id' })
  const { t } = useTranslation('core-sessions')
  const query = useQuery(sessionQuery(id))
  const [cancelling, setCancelling] = useState(false)
  return (
    <>
      <PageHead title={t('one')}>
        {query.data?.status === 'Pending' && (
          <May right="signature-sessions.cancel">
            <Button
              variant="default"
              leftSection={<Ban size={16} aria-hidden="true" />}
              onClick={() => setCancelling(true)}
            >
              {t('cancel')}
            </Button>
          </May>
        )}
      </PageHead>
      <Queried query={query} lines={6}>
        {(session) => (
          <>
            <SessionFacts session={session} />
            <Documents session={session} />
            {cancelling && <CancelDialog session={session} onClose={() => setCancelling(false)} />}
          </>
        )}
      </Queried>
    </>
  )
}

function SessionFacts({ session }: { session: SessionDetail }) {
  const { t } = useTranslation(['core-sessions', 'core'])
  const { dateAndTime } = useFormats()
  const { id, status, errorCode, subscription, application, signer, createdAt, expiresAt, endedAt } = session
  const gone = t('core:gone')
  return (
    <Panel title={t('facts')}>
      <Facts
        rows={[
          [t('columns.status'), <SessionChip key="status" status={status} />],
          [t('errorCode'), errorCode && <code>{errorCode}</code>],
          ['Id', <CopyButton key="id" text={id} what="Id" />],
          [
            t('columns.application'),
            <Link key="application" to="/applications/$id" params={{ id: application.id }}>
              {application.name || gone}
            </Link>,
          ],
          [t('core:subscription'), subscription.name || gone],
          [t('columns.created'), dateAndTime(createdAt)],
          [endedAt ? t('endedAt') : t('expiresAt'), dateAndTime(endedAt ?? expiresAt)],
          [
            t('signer'),
            signer && (
              <span key="signer" className={parts.stack}>
                <span>{signer.name}</span>
                {signer.identifier && <span className={parts.nowrap}>{signer.identifier}</span>}
              </span>
            ),
          ],
          [t('processing'), t(session.isBackground ? 'background' : 'atOnce')],
          [t('uploads'), session.takesUploads ? t('uploadsText') : undefined],
        ]}
      />
    </Panel>
  )
}

function Documents({ session: { documents } }: { session: SessionDetail }) {
  const { t } = useTranslation('core-sessions')
  const { bytes, dateAndTime } = useFormats()
  const columns: readonly Column<SessionDocument>[] = [
    {
      key: 'name',
      title: t('columns.document'),
      isHeader: true,
      cell: ({ name, mimeType, length }) => (
        <span className={parts.stack}>
          <span>{name}</span>
          <span className={parts.small}>
            {mimeType}, {bytes(length)}
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      title: t('columns.status'),
      cell: ({ status, errorCode }) => (
        <span className={parts.stack}>
          <DocumentChip status={status} />
          {errorCode && <code className={parts.small}>{errorCode}</code>}
        </span>
      ),
    },
    {
      key: 'signed',
      title: t('columns.signed'),
      cell: ({ signedAt }) => (signedAt ? dateAndTime(signedAt) : '–'),
    },
    { key: 'webhook', title: t('columns.webhook'), cell: ({ deliveries }) => <Deliveries deliveries={deliveries} /> },
    { key: 'digest', title: 'SHA-256', cell: ({ sha256 }) => <CopyButton text={sha256} what="SHA-256" /> },
  ]
  return (
    <Panel title={t('columns.documents')}>
      {documents.length === 0 ? (
        <p className={parts.small}>{t('noDocuments')}</p>
      ) : (
        <DataTable caption={t('columns.documents')} columns={columns} rows={documents} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}

function Deliveries({ deliveries }: Pick<SessionDocument, 'deliveries'>) {
  const { t } = useTranslation('core-sessions')
  const { dateAndTime } = useFormats()
  if (deliveries.length === 0) return '–'
  return (
    <span className={parts.stack}>
      {deliveries.map(({ state, at, attempts, lastStatus }) => (
        <span key={`${state} ${at}`} className={parts.stack}>
          <DeliveryChip state={state} />
          <span className={parts.small}>
            {[dateAndTime(at), t('attempts', { count: attempts }), lastStatus && `HTTP ${lastStatus}`]
              .filter(Boolean)
              .join(', ')}
          </span>
        </span>
      ))}
    </span>
  )
}

function CancelDialog({ session: { id }, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('core-sessions')
  const { attempt } = useAction(
    () => cancelSession(id),
    () => t('cancelled'),
  )
  return (
    <ConfirmDialog
      title={t('cancelThis')}
      confirm={t('cancel')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('cancelText')}
    </ConfirmDialog>
  )
}
