import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import type { EnrolmentCode, Workstation } from '../api/types.ts'
import { workstationsQuery } from '../api/workstations.ts'
import { CodeDialog } from './code-dialog.tsx'
import { AddDialog, AnotherCodeDialog, ChangeDialog, RevokeDialog } from './workstation-dialogs.tsx'
import { type WorkstationAction, WorkstationsTable } from './workstations-table.tsx'

type Open = { kind: 'add' } | { kind: WorkstationAction; workstation: Workstation }

/** Machines of holders and their agents. */
export function WorkstationsPage() {
  const { t } = useTranslation('sessions-workstations')
  const query = useQuery(workstationsQuery)
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="workstations.manage">
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'add' })}>
            {t('add')}
          </Button>
        </May>
      </PageHead>
      <Queried query={query}>
        {(workstations) =>
          workstations.length === 0 ? (
            <Nothing icon={MonitorSmartphone} title={t('empty')} text={t('emptyText')} />
          ) : (
            <WorkstationsTable
              workstations={workstations}
              onOpen={(kind, workstation) => setOpen({ kind, workstation })}
            />
          )
        }
      </Queried>
      <Dialogs open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Dialogs({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  const [code, setCode] = useState<EnrolmentCode>()
  return (
    <>
      {open?.kind === 'add' && <AddDialog onCode={setCode} onClose={onClose} />}
      {open?.kind === 'change' && <ChangeDialog workstation={open.workstation} onClose={onClose} />}
      {open?.kind === 'code' && <AnotherCodeDialog workstation={open.workstation} onCode={setCode} onClose={onClose} />}
      {open?.kind === 'revoke' && <RevokeDialog workstation={open.workstation} onClose={onClose} />}
      {code && <CodeDialog made={code} onClose={() => setCode(undefined)} />}
    </>
  )
}
