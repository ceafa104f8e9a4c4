import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { withinDays } from '../../console/parts/day-range.ts'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { historyQuery } from '../api/activity.ts'
import { historyKinds } from '../api/types.ts'
import { CpfFilter } from '../parts/cpf-filter.tsx'
import { type HistoryFilters, historyFiltersFrom } from './history-filters.ts'
import { HistoryTable } from './history-table.tsx'

/** Who opened sessions, and what became of them. */
export function HistoryPage() {
  const { t } = useTranslation('sessions-history')
  const filters = useSearch({ from: '/shell/history' })
  const query = useInfiniteQuery(historyQuery(withinDays(filters)))
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          entries.length === 0 ? (
            <Nothing
              icon={History}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <HistoryTable entries={entries} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: HistoryFilters }) {
  const { t } = useTranslation(['sessions-history', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/history', search: historyFiltersFrom(typed) })}
    >
      <CpfFilter cpf={filters.cpf} />
      <TextInput
        name="application"
        type="search"
        maxLength={200}
        label={t('columns.application')}
        defaultValue={filters.application ?? ''}
      />
      <NativeSelect
        name="kind"
        label={t('kind')}
        defaultValue={filters.kind ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...historyKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
        ]}
      />
      <TextInput name="from" type="date" label={t('from')} defaultValue={filters.from ?? ''} />
      <TextInput name="to" type="date" label={t('to')} defaultValue={filters.to ?? ''} />
    </FilterForm>
  )
}
