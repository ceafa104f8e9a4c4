import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Right, useMay } from '../../console/parts/may.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { Workstation } from '../api/types.ts'
import { WorkstationChip } from '../parts/chips.tsx'
import { CpfText } from '../parts/cpf-text.tsx'

export type WorkstationAction = 'change' | 'code' | 'revoke'

export interface WorkstationsTableProps {
  workstations: readonly Workstation[]
  onOpen: (action: WorkstationAction, workstation: Workstation) => void
}

export function WorkstationsTable({ workstations, onOpen }: WorkstationsTableProps) {
  const { t } = useTranslation(['sessions-workstations', 'console'])
  const { count, dateAndMinute } = useFormats()
  const columns: readonly Column<Workstation>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: (workstation) => (
        <span className={parts.stack}>
          <span>{workstation.name}</span>
          <Agent workstation={workstation} />
        </span>
      ),
    },
    {
      key: 'state',
      title: t('columns.state'),
      cell: ({ state, lastSeenAt }) => (
        <span className={parts.stack}>
          <WorkstationChip state={state} />
          {lastSeenAt && <span className={parts.small}>{t('seen', { time: dateAndMinute(lastSeenAt) })}</span>}
        </span>
      ),
    },
    {
      key: 'holders',
      title: t('columns.holders'),
      cell: ({ cpfs }) => (
        <span className={parts.stack}>
          {cpfs.map((cpf) => (
            <Link key={cpf} to="/certificates" search={{ cpf, custody: 'workstation' }}>
              <CpfText cpf={cpf} />
            </Link>
          ))}
        </span>
      ),
    },
    {
      key: 'certificates',
      title: t('columns.certificates'),
      numeric: true,
      cell: ({ certificates }) => count(certificates),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (workstation) =>
        workstation.state !== 'revoked' && <RowButtons workstation={workstation} onOpen={onOpen} />,
    },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={workstations} rowKey={({ id }) => id} />
}

/** The agent's platform, version and address; empty before it has enrolled. */
function Agent({ workstation: { platform, agentVersion, address } }: { workstation: Workstation }) {
  const { t } = useTranslation('sessions-workstations')
  if (agentVersion === null) return null
  const about = [t('agent', { version: agentVersion }), platform, address].filter(Boolean).join(' · ')
  return <span className={parts.small}>{about}</span>
}

const actions = ['change', 'code', 'revoke'] as const satisfies readonly WorkstationAction[]

const rights = {
  change: 'workstations.manage',
  code: 'workstations.enrol',
  revoke: 'workstations.manage',
} as const satisfies Readonly<Record<WorkstationAction, Right>>

function RowButtons(props: { workstation: Workstation; onOpen: WorkstationsTableProps['onOpen'] }) {
  const { t } = useTranslation('sessions-workstations')
  const may = useMay()
  const { workstation, onOpen } = props
  const { name } = workstation
  const labels = { change: t('changeOf', { name }), code: t('codeOf', { name }), revoke: t('revokeOf', { name }) }
  return (
    <span className={parts.rowButtons}>
      {actions
        .filter((action) => may(rights[action]))
        .map((action) => (
          <Button
            key={action}
            variant={action === 'revoke' ? 'subtle' : 'default'}
            size="xs"
            aria-label={labels[action]}
            onClick={() => onOpen(action, workstation)}
          >
            {t(action)}
          </Button>
        ))}
    </span>
  )
}
