import { useQuery } from '@tanstack/react-query'
import { Check, type LucideIcon, Minus, UserRound, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { rightsQuery } from '../api/organization.ts'
import type { Reach, RightsRow } from '../api/types.ts'
import { type Operation, operations } from '../parts/rights.ts'
import classes from './organization.module.css'

/** The columns, in the order of the service's table. */
const roles = ['administrator', 'manager', 'operator', 'basic', 'application', 'folderApplication'] as const

const icons: Readonly<Record<Reach, LucideIcon>> = { all: Check, involved: Users, own: UserRound, none: Minus }

/** Who may do what: the table that the service enforces. */
export function RightsPanel() {
  const { t } = useTranslation('documents-organization')
  const query = useQuery(rightsQuery)
  return (
    <Panel title={t('rights.title')} lead={t('rights.lead')}>
      <ul className={classes.legend}>
        {(['all', 'involved', 'own'] as const).map((reach) => (
          <li key={reach}>
            <ReachWord reach={reach} />: {t(`rights.meaning.${reach}`)}
          </li>
        ))}
      </ul>
      <Queried query={query} lines={12}>
        {(rows) => <RightsTable rows={rows} />}
      </Queried>
    </Panel>
  )
}

function RightsTable({ rows }: { rows: readonly RightsRow[] }) {
  const { t } = useTranslation('documents-organization')
  const columns: readonly Column<RightsRow>[] = [
    {
      key: 'operation',
      title: t('rights.operationColumn'),
      isHeader: true,
      cell: ({ operation }) => <OperationName operation={operation} />,
    },
    ...roles.map((role) => ({
      key: role,
      title: t(`rights.role.${role}`),
      head: <span className={classes.role}>{t(`rights.role.${role}`)}</span>,
      cell: ({ reaches }: RightsRow) => <ReachWord reach={reaches[role] ?? 'none'} />,
    })),
  ]
  return (
    <div className={classes.rights}>
      <DataTable caption={t('rights.title')} columns={columns} rows={rows} rowKey={({ operation }) => operation} />
    </div>
  )
}

const isKnown = (operation: string): operation is Operation => operations.includes(operation as Operation)

/** An operation in words; one that this page does not know keeps the service's name. */
function OperationName({ operation }: { operation: string }) {
  const { t } = useTranslation('documents-organization')
  return isKnown(operation) ? t(`rights.operation.${operation}`) : <code>{operation}</code>
}

/** How far a right reaches, as icon and word. */
function ReachWord({ reach }: { reach: Reach }) {
  const { t } = useTranslation('documents-organization')
  const Icon = icons[reach]
  return (
    <span className={classes.reach} data-reach={reach}>
      <Icon size={14} aria-hidden="true" />
      {t(`rights.reach.${reach}`)}
    </span>
  )
}
