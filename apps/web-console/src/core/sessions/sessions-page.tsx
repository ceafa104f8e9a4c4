import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Signature } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { withinDays } from '../../console/parts/day-range.ts'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { sessionsQuery } from '../api/sessions.ts'
import { type SignatureSession, sessionStatuses } from '../api/types.ts'
import { SubscriptionFilter } from '../parts/subscription-select.tsx'
import { SessionChip } from './session-chips.tsx'
import { type SessionFilters, sessionFiltersFrom } from './session-filters.ts'

/** Who was sent to a page of this service to sign, in every subscription. */
export function SessionsPage() {
  const { t } = useTranslation('core-sessions')
  const filters = useSearch({ from: '/shell/signature-sessions' })
  const query = useInfiniteQuery(sessionsQuery(withinDays(filters)))
  const found = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          found.length === 0 ? (
            <Nothing
              icon={Signature}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <SessionsTable sessions={found} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: SessionFilters }) {
  const { t } = useTranslation(['core-sessions', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/signature-sessions', search: sessionFiltersFrom(typed) })}
    >
      <NativeSelect
        name="status"
        label={t('columns.status')}
        defaultValue={filters.status ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...sessionStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
        ]}
      />
      <SubscriptionFilter subscriptionId={filters.subscriptionId} />
      <TextInput name="from" type="date" label={t('from')} defaultValue={filters.from ?? ''} />
      <TextInput name="to" type="date" label={t('to')} defaultValue={filters.to ?? ''} />
    </FilterForm>
  )
}

function SessionsTable({ sessions }: { sessions: readonly SignatureSession[] }) {
  const { t } = useTranslation(['core-sessions', 'core'])
  const { dateAndTime, count } = useFormats()
  const gone = t('core:gone')
  const columns: readonly Column<SignatureSession>[] = [
    {
      key: 'created',
      title: t('columns.created'),
      isHeader: true,
      cell: ({ id, createdAt }) => (
        <Link to="/signature-sessions/$id" params={{ id }}>
          {dateAndTime(createdAt)}
        </Link>
      ),
    },
    { key: 'status', title: t('columns.status'), cell: ({ status }) => <SessionChip status={status} /> },
    {
      key: 'application',
      title: t('columns.application'),
      cell: ({ application, subscription }) => (
        <span className={parts.stack}>
          <span>{application.name || gone}</span>
          <span className={parts.small}>{subscription.name || gone}</span>
        </span>
      ),
    },
    { key: 'documents', title: t('columns.documents'), cell: ({ documents }) => count(documents) },
    {
      key: 'until',
      title: t('columns.until'),
      cell: ({ endedAt, expiresAt }) => dateAndTime(endedAt ?? expiresAt),
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={sessions} rowKey={({ id }) => id} />
}
