import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AppWindow, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { May } from '../../console/parts/may.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { applicationsQuery, subscriptionsQuery } from '../api/management.ts'
import type { Application } from '../api/types.ts'
import { CutNote } from '../parts/cut-note.tsx'
import { type ListFilters, listFiltersFrom } from '../parts/list-filters.ts'
import { SubscriptionFilter } from '../parts/subscription-select.tsx'
import { ApplicationChip, RoleChips } from './application-chips.tsx'
import { NewApplicationDialog } from './application-dialogs.tsx'

/** Programs that call the contract, in every subscription. */
export function ApplicationsPage() {
  const { t } = useTranslation('core-applications')
  const filters = useSearch({ from: '/shell/applications' })
  const query = useQuery(applicationsQuery(filters))
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="applications.manage">
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        </May>
      </PageHead>
      <Filters filters={filters} />
      <Queried query={query} lines={6}>
        {(listed) =>
          listed.items.length === 0 ? (
            <Nothing
              icon={AppWindow}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <>
              <ApplicationsTable applications={listed.items} />
              <CutNote {...listed} />
            </>
          )
        }
      </Queried>
      {adding && (
        <NewApplicationDialog subscriptionId={filters.subscriptionId ?? ''} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

function Filters({ filters }: { filters: ListFilters }) {
  const { t } = useTranslation(['core-applications', 'core'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/applications', search: listFiltersFrom(typed) })}
    >
      <TextInput name="q" type="search" maxLength={100} label={t('core:nameContains')} defaultValue={filters.q ?? ''} />
      <SubscriptionFilter subscriptionId={filters.subscriptionId} />
    </FilterForm>
  )
}

function ApplicationsTable({ applications }: { applications: readonly Application[] }) {
  const { t } = useTranslation(['core-applications', 'core'])
  const { date } = useFormats()
  const { data } = useQuery(subscriptionsQuery())
  const nameOf = (id: string) => data?.items.find((one) => one.id === id)?.name ?? id
  const columns: readonly Column<Application>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isHeader: true,
      cell: ({ id, name }) => (
        <Link to="/applications/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { key: 'state', title: t('columns.state'), cell: (application) => <ApplicationChip application={application} /> },
    {
      key: 'roles',
      title: t('columns.roles'),
      cell: ({ subscriptions, rootRoles }) => (
        <span className={parts.stack}>
          {rootRoles.length > 0 && <RoleChips where={t('instance')} roles={rootRoles} />}
          {subscriptions.map(({ subscriptionId, roles }) => (
            <RoleChips key={subscriptionId} where={nameOf(subscriptionId)} roles={roles} />
          ))}
          {rootRoles.length + subscriptions.length === 0 && <span className={parts.small}>{t('noRoles')}</span>}
        </span>
      ),
    },
    { key: 'created', title: t('columns.created'), cell: ({ dateCreated }) => date(dateCreated) },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={applications} rowKey={({ id }) => id} />
}
