import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Stamp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { usesQuery } from '../api/activity.ts'
import { useActions } from '../api/types.ts'
import { ProviderFilter } from '../parts/provider-filter.tsx'
import { SearchFields } from '../parts/search-fields.tsx'
import { filtersOfUses, outcomes, type UseFilters, usesAsked } from './use-filters.ts'
import { UsesTable } from './uses-table.tsx'

/** The audit of what was done under sessions. */
export function UsesPage() {
  const { t } = useTranslation('hub-activity')
  const filters = useSearch({ from: '/shell/uses' })
  const query = useInfiniteQuery(usesQuery(usesAsked(filters)))
  const uses = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('uses.title')} lead={t('uses.lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          uses.length === 0 ? (
            <Nothing
              icon={Stamp}
              title={t('uses.empty')}
              text={t('uses.emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <UsesTable uses={uses} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: UseFilters }) {
  const { t } = useTranslation(['hub-activity', 'hub', 'console'])
  const navigate = useNavigate()
  const any = { value: '', label: t('console:any') }
  return (
    <FilterForm
      label={t('uses.filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/uses', search: filtersOfUses(typed) })}
    >
      <SearchFields search={filters} />
      <NativeSelect
        name="action"
        label={t('uses.action')}
        defaultValue={filters.action ?? ''}
        data={[any, ...useActions.map((value) => ({ value, label: t(`hub:useAction.${value}`) }))]}
      />
      <NativeSelect
        name="outcome"
        label={t('uses.outcome')}
        defaultValue={filters.outcome ?? ''}
        data={[any, ...outcomes.map((value) => ({ value, label: t(`uses.outcomes.${value}`) }))]}
      />
      <ProviderFilter providerId={filters.providerId} />
      <TextInput
        name="sessionId"
        type="search"
        maxLength={64}
        label={t('uses.session')}
        defaultValue={filters.sessionId ?? ''}
      />
    </FilterForm>
  )
}
