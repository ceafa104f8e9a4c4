import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { administratorsQuery } from '../api/administrators.ts'
import { meQuery } from '../api/session.ts'
import type { Administrator } from '../api/types.ts'
import { May } from '../parts/may.tsx'
import parts from '../parts/parts.module.css'
import { AddDialog, RemoveDialog, ResetDialog } from './administrator-dialogs.tsx'
import { EveryonesSessions } from './everyones-sessions.tsx'
import { RoleDialog } from './role-dialog.tsx'

type Open = { kind: 'add' } | { kind: 'role' | 'reset' | 'remove'; administrator: Administrator }

/** Who may sign in here with a password. */
export function AdministratorsPage() {
  const { t } = useTranslation('console-administrators')
  const query = useQuery(administratorsQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="administrators.manage">
          <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'add' })}>
            {t('add')}
          </Button>
        </May>
      </PageHead>
      <Queried query={query}>
        {(administrators) => <AdministratorsTable administrators={administrators} onOpen={setOpen} />}
      </Queried>
      <EveryonesSessions />
      {open?.kind === 'add' && <AddDialog onClose={close} />}
      {open?.kind === 'role' && <RoleDialog administrator={open.administrator} onClose={close} />}
      {open?.kind === 'reset' && <ResetDialog administrator={open.administrator} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog administrator={open.administrator} onClose={close} />}
    </>
  )
}

interface TableProps {
  administrators: readonly Administrator[]
  onOpen: (open: Open) => void
}

function AdministratorsTable({ administrators, onOpen }: TableProps) {
  const { t } = useTranslation(['console-administrators', 'console'])
  const { date, dateAndMinute } = useFormats()
  const { data: me } = useQuery(meQuery)
  const columns: readonly Column<Administrator>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ id, name, email }) => (
        <span className={parts.stack}>
          <span>
            {name} {id === me?.id && <Chip tone="plain">{t('you')}</Chip>}
          </span>
          <span className={parts.small}>{email}</span>
        </span>
      ),
    },
    { key: 'role', title: t('columns.role'), cell: ({ role }) => t(`roles.${role}`) },
    {
      key: 'factor',
      title: t('columns.factor'),
      cell: ({ secondFactor }) => (
        <Chip icon={secondFactor ? CircleCheck : TriangleAlert} tone={secondFactor ? 'good' : 'warning'}>
          {t(secondFactor ? 'factorOn' : 'factorOff')}
        </Chip>
      ),
    },
    { key: 'created', title: t('columns.created'), cell: ({ createdAt }) => date(createdAt) },
    {
      key: 'lastSignIn',
      title: t('columns.lastSignIn'),
      cell: ({ lastSignInAt }) => (lastSignInAt ? dateAndMinute(lastSignInAt) : t('never')),
    },
    {
      key: 'actions',
      title: t('console:actions'),
      quiet: true,
      cell: (administrator) => (
        <May right="administrators.manage">
          <RowButtons administrator={administrator} onOpen={onOpen} />
        </May>
      ),
    },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={administrators} rowKey={({ id }) => id} />
}

function RowButtons({ administrator, onOpen }: { administrator: Administrator; onOpen: TableProps['onOpen'] }) {
  const { t } = useTranslation('console-administrators')
  const { name, secondFactor } = administrator
  return (
    <span className={parts.rowButtons}>
      <Button
        variant="default"
        size="xs"
        aria-label={t('changeRoleOf', { name })}
        onClick={() => onOpen({ kind: 'role', administrator })}
      >
        {t('changeRole')}
      </Button>
      {secondFactor && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('resetOf', { name })}
          onClick={() => onOpen({ kind: 'reset', administrator })}
        >
          {t('reset')}
        </Button>
      )}
      <Button
        variant="subtle"
        size="xs"
        aria-label={t('removeOf', { name })}
        onClick={() => onOpen({ kind: 'remove', administrator })}
      >
        {t('remove')}
      </Button>
    </span>
  )
}
