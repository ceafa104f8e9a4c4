import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { FileSpreadsheet, Inbox } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadOnce } from '../../../shared/api/download.ts'
import { PageState } from '../../../shared/feedback/page-state.tsx'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { useNotices } from '../../../shared/parts/notices.tsx'
import { PageHead } from '../../../shared/parts/page-head.tsx'
import { Panel } from '../../../shared/parts/panel.tsx'
import { Queried } from '../../../shared/parts/queried.tsx'
import { exportAddress, listQuery } from '../api/portal-calls.ts'
import {
  type Approver,
  type PortalList,
  type PortalListName,
  type PortalRow,
  portalLists,
} from '../api/portal-types.ts'
import { ApproveDialog } from '../approve/approve-dialog.tsx'
import { FactorPanel } from '../factor/factor-panel.tsx'
import { everyOf, PortalPage } from '../frame/portal-page.tsx'
import { CloudReturn } from '../signing/cloud-return.tsx'
import { FilePages } from './file-pages.tsx'
import classes from './lists.module.css'

/** What waits for the caller, what they decided while others still do, and what they decided. */
export function ApprovalsPage() {
  return (
    <PortalPage nobody={<Navigate to="/approvals/link-required" replace />}>
      {(approver) => <Lists approver={approver} />}
    </PortalPage>
  )
}

function Lists({ approver }: { approver: Approver }) {
  const { t } = useTranslation('batch-portal')
  const search = useSearch({ from: '/approvals' })
  const { list = 'needs-you' } = search
  // What is confirmed stands still: no news changes it while somebody approves.
  const [approving, setApproving] = useState<readonly PortalRow[]>()
  const refetchInterval = approving ? false : everyOf(approver)
  const waiting = useQuery({ ...listQuery('needs-you'), refetchInterval })
  const files = useQuery({ ...listQuery(list), refetchInterval })
  return (
    <>
      <PageHead title={t('title')}>
        <ExportButton list={list} />
      </PageHead>
      <FactorPanel approver={approver} />
      <ListLinks list={list} waiting={waiting.data} />
      <Panel title={t(`lists.${list}`)}>
        <Queried query={files}>
          {(found) => <Files key={list} list={list} found={found} onApprove={setApproving} />}
        </Queried>
      </Panel>
      <CloudReturn search={search} />
      {approving && <ApproveDialog approver={approver} files={approving} onClose={() => setApproving(undefined)} />}
    </>
  )
}

function ListLinks({ list, waiting }: { list: PortalListName; waiting: PortalList | undefined }) {
  const { t } = useTranslation('batch-portal')
  const { count } = useFormats()
  return (
    <nav aria-label={t('lists.label')}>
      <ul className={classes.tabs}>
        {portalLists.map((each) => (
          <li key={each}>
            <Link
              to="/approvals"
              // Always named: an address without a list would count as the present one, whatever it shows.
              search={{ list: each }}
              className={classes.tab!}
              aria-current={each === list ? 'page' : undefined}
            >
              {t(`lists.${each}`)}
              {each === 'needs-you' && waiting && waiting.items.length > 0 && (
                <span className={classes.badge}>{count(waiting.items.length)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface FilesProps {
  list: PortalListName
  found: PortalList
  onApprove: (files: readonly PortalRow[]) => void
}

function Files({ list, found: { items, cut }, onApprove }: FilesProps) {
  const { t } = useTranslation('batch-portal')
  const { count } = useFormats()
  if (items.length === 0)
    return (
      <PageState icon={Inbox} title={t(`empty.${list}`)}>
        {t(`empty.${list}-text`)}
      </PageState>
    )
  return (
    <>
      {cut && <p>{t('lists.cut', { total: count(items.length) })}</p>}
      <FilePages list={list} files={items} onApprove={onApprove} />
    </>
  )
}

function ExportButton({ list }: { list: PortalListName }) {
  const { t } = useTranslation('batch-portal')
  const { failed } = useNotices()
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    await downloadOnce(exportAddress(list), `approvals-${list}.xlsx`).catch(failed)
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<FileSpreadsheet size={16} aria-hidden="true" />}
      onClick={() => void run()}
    >
      {t('lists.export')}
    </Button>
  )
}
