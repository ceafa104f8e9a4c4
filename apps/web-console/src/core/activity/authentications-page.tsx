import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, CircleX, UserRoundKey } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import parts from '../../console/parts/parts.module.css'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { authenticationsQuery } from '../api/activity.ts'
import type { Authentication } from '../api/types.ts'
import { SubscriptionFilter } from '../parts/subscription-select.tsx'
import { type AuthenticationFilters, authenticationFiltersFrom, outcomes } from './activity-filters.ts'

/** Who authenticated lately, and who failed to. */
export function AuthenticationsPage() {
  const { t } = useTranslation('core-activity')
  const filters = useSearch({ from: '/shell/authentications' })
  const query = useInfiniteQuery(authenticationsQuery({ ...filters }))
  const found = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('authentications.title')} lead={t('authentications.lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          found.length === 0 ? (
            <Nothing
              icon={UserRoundKey}
              title={t('authentications.empty')}
              text={t('authentications.emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <AuthenticationsTable authentications={found} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: AuthenticationFilters }) {
  const { t } = useTranslation(['core-activity', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('authentications.filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/authentications', search: authenticationFiltersFrom(typed) })}
    >
      <NativeSelect
        name="outcome"
        label={t('authentications.outcome')}
        defaultValue={filters.outcome ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...outcomes.map((value) => ({ value, label: t(`authentications.outcomes.${value}`) })),
        ]}
      />
      <SubscriptionFilter subscriptionId={filters.subscriptionId} />
    </FilterForm>
  )
}

function AuthenticationsTable({ authentications }: { authentications: readonly Authentication[] }) {
  const { t } = useTranslation(['core-activity', 'core'])
  const { dateAndTime } = useFormats()
  const gone = t('core:gone')
  const columns: readonly Column<Authentication>[] = [
    {
      key: 'subject',
      title: t('authentications.columns.subject'),
      isHeader: true,
      cell: ({ subject, identifier }) => (
        <span className={parts.stack}>
          <span>{subject ?? t('authentications.nobody')}</span>
          {identifier && <span className={parts.small}>{identifier}</span>}
        </span>
      ),
    },
    {
      key: 'outcome',
      title: t('authentications.columns.outcome'),
      cell: ({ outcome }) => (
        <span className={parts.stack}>
          <Chip icon={outcome === 'Success' ? CircleCheck : CircleX} tone={outcome === 'Success' ? 'good' : 'bad'}>
            {t(`authentications.outcomes.${outcome === 'Success' ? 'succeeded' : 'failed'}`)}
          </Chip>
          {outcome !== 'Success' && <span className={parts.small}>{t(`outcomes.${outcome}`)}</span>}
        </span>
      ),
    },
    {
      key: 'application',
      title: t('authentications.columns.application'),
      cell: ({ application, subscription }) => (
        <span className={parts.stack}>
          <span>{application.name || gone}</span>
          <span className={parts.small}>{subscription.name || gone}</span>
        </span>
      ),
    },
    {
      key: 'context',
      title: t('authentications.columns.context'),
      cell: ({ securityContext, generation }) => (
        <span className={parts.stack}>
          <span>{securityContext.name || gone}</span>
          <span className={parts.small}>{t(`authentications.generation.${generation}`)}</span>
        </span>
      ),
    },
    { key: 'at', title: t('authentications.columns.at'), cell: ({ at }) => dateAndTime(at) },
  ]
  return (
    <DataTable caption={t('authentications.title')} columns={columns} rows={authentications} rowKey={({ id }) => id} />
  )
}
