import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withinDays } from '../../console/parts/day-range.ts'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { endSession, sessionsQuery } from '../api/activity.ts'
import { type HubSession, sessionStates } from '../api/types.ts'
import { ProviderFilter } from '../parts/provider-filter.tsx'
import { SearchFields } from '../parts/search-fields.tsx'
import { type SessionFilters, sessionFiltersFrom } from './session-filters.ts'
import { SessionsTable } from './sessions-table.tsx'

/** Sessions, newest first. */
export function SessionsPage() {
  const { t } = useTranslation('hub-activity')
  const filters = useSearch({ from: '/shell/sessions' })
  const query = useInfiniteQuery(sessionsQuery(withinDays(filters)))
  const [ending, setEnding] = useState<HubSession>()
  const sessions = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('sessions.title')} lead={t('sessions.lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          sessions.length === 0 ? (
            <Nothing
              icon={Zap}
              title={t('sessions.empty')}
              text={t('sessions.emptyText')}
              narrowed={Object.keys(filters).length > 0}
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

function Filters({ filters }: { filters: SessionFilters }) {
  const { t } = useTranslation(['hub-activity', 'hub', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('sessions.filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/sessions', search: sessionFiltersFrom(typed) })}
    >
      <SearchFields search={filters} />
      <NativeSelect
        name="state"
        label={t('sessions.state')}
        defaultValue={filters.state ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...sessionStates.map((value) => ({ value, label: t(`hub:sessionState.${value}`) })),
        ]}
      />
      <ProviderFilter providerId={filters.providerId} />
    </FilterForm>
  )
}

function EndDialog({ session: { id, provider, application }, onClose }: { session: HubSession; onClose: () => void }) {
  const { t } = useTranslation('hub-activity')
  const { attempt } = useAction(
    () => endSession(id),
    () => t('sessions.ended'),
  )
  return (
    <ConfirmDialog
      title={t('sessions.endOf', { provider: provider.name, application: application.name })}
      confirm={t('sessions.end')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('sessions.endText')}
    </ConfirmDialog>
  )
}
