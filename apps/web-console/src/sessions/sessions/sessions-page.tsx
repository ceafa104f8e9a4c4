import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { May } from '../../console/parts/may.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { endSession, sessionsQuery } from '../api/activity.ts'
import type { LiveSession } from '../api/types.ts'
import { CpfFilter } from '../parts/cpf-filter.tsx'
import { CpfText } from '../parts/cpf-text.tsx'
import { sessionFiltersFrom } from './session-filters.ts'

/** Live sessions. */
export function SessionsPage() {
  const { t } = useTranslation('sessions-activity')
  const filters = useSearch({ from: '/shell/sessions' })
  const navigate = useNavigate()
  const query = useInfiniteQuery(sessionsQuery(filters.cpf))
  const [ending, setEnding] = useState<LiveSession>()
  const sessions = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('sessions.title')} lead={t('sessions.lead')} />
      <FilterForm
        label={t('sessions.filters')}
        filters={filters}
        onSearch={(typed) => void navigate({ to: '/sessions', search: sessionFiltersFrom(typed) })}
      >
        <CpfFilter cpf={filters.cpf} />
      </FilterForm>
      <Queried query={query}>
        {() =>
          sessions.length === 0 ? (
            <Nothing
              icon={Zap}
              title={t('sessions.empty')}
              text={t('sessions.emptyText')}
              narrowed={filters.cpf !== undefined}
            />
          ) : (
            <SessionsTable sessions={sessions} onEnd={setEnding} />
          )
        }
      </Queried>
      <MoreButton query={query} />
      {ending && <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

interface SessionsTableProps {
  sessions: readonly LiveSession[]
  onEnd: (session: LiveSession) => void
}

function SessionsTable({ sessions, onEnd }: SessionsTableProps) {
  const { t } = useTranslation(['sessions-activity', 'sessions'])
  const { count, dateAndMinute } = useFormats()
  const columns: readonly Column<LiveSession>[] = [
    {
      key: 'holder',
      title: t('sessions.columns.holder'),
      isHeader: true,
      cell: ({ subjectName, cpf }) => (
        <span className={parts.stack}>
          <span>{subjectName}</span>
          <span className={parts.small}>
            <CpfText cpf={cpf} />
          </span>
        </span>
      ),
    },
    {
      key: 'where',
      title: t('sessions.columns.where'),
      cell: ({ custody, workstation }) => (
        <span className={parts.stack}>
          <span>{t(`sessions:custody.${custody}`)}</span>
          {workstation && <span className={parts.small}>{workstation}</span>}
        </span>
      ),
    },
    { key: 'application', title: t('sessions.columns.application'), cell: ({ application }) => application || '–' },
    { key: 'began', title: t('sessions.columns.began'), cell: ({ createdAt }) => dateAndMinute(createdAt) },
    { key: 'ends', title: t('sessions.columns.ends'), cell: ({ expiresAt }) => <Ends expiresAt={expiresAt} /> },
    {
      key: 'calls',
      title: t('sessions.columns.calls'),
      numeric: true,
      cell: ({ signatures, allowance }) =>
        allowance === null ? count(signatures) : t('sessions.ofAllowance', { count: signatures, of: count(allowance) }),
    },
    {
      key: 'actions',
      title: t('sessions.end'),
      quiet: true,
      cell: (session) => (
        <May right="sessions.end">
          <Button
            variant="default"
            size="xs"
            aria-label={t('sessions.endOf', { name: session.subjectName })}
            onClick={() => onEnd(session)}
          >
            {t('sessions.end')}
          </Button>
        </May>
      ),
    },
  ]
  return <DataTable caption={t('sessions.caption')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}

/** When the idle timeout ends the session, unless something is signed before. */
function Ends({ expiresAt }: { expiresAt: string }) {
  const { t } = useTranslation('sessions-activity')
  const { duration } = useFormats()
  const left = Date.parse(expiresAt) - useNow(1000)
  if (left <= 0) return t('sessions.endsNow')
  return <span className={parts.nowrap}>{t('sessions.endsIn', { left: duration(Math.ceil(left / 1000) * 1000) })}</span>
}

function EndDialog({ session: { id, subjectName: name }, onClose }: { session: LiveSession; onClose: () => void }) {
  const { t } = useTranslation('sessions-activity')
  const { attempt } = useAction(
    () => endSession(id),
    () => t('sessions.ended', { name }),
  )
  return (
    <ConfirmDialog
      title={t('sessions.endOf', { name })}
      confirm={t('sessions.end')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('sessions.endText')}
    </ConfirmDialog>
  )
}
