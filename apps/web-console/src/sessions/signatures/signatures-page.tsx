import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileSignature } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withinDays } from '../../console/parts/day-range.ts'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { signaturesQuery } from '../api/activity.ts'
import { signatureStates } from '../api/types.ts'
import { CpfFilter } from '../parts/cpf-filter.tsx'
import { SignatureDetails } from './signature-details.tsx'
import { type SignatureFilters, signatureFiltersFrom } from './signature-filters.ts'
import { SignaturesTable } from './signatures-table.tsx'

/** The log of signatures. */
export function SignaturesPage() {
  const { t } = useTranslation('sessions-activity')
  const filters = useSearch({ from: '/shell/signatures' })
  const query = useInfiniteQuery(signaturesQuery(withinDays(filters)))
  const [shown, setShown] = useState<string>()
  const signatures = query.data?.pages.flatMap(({ items }) => items) ?? []
  const chosen = signatures.find(({ id }) => id === shown)
  return (
    <>
      <PageHead title={t('signatures.title')} lead={t('signatures.lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          signatures.length === 0 ? (
            <Nothing
              icon={FileSignature}
              title={t('signatures.empty')}
              text={t('signatures.emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <SignaturesTable signatures={signatures} onShow={setShown} />
          )
        }
      </Queried>
      <MoreButton query={query} />
      {chosen && <SignatureDetails signature={chosen} onClose={() => setShown(undefined)} />}
    </>
  )
}

function Filters({ filters }: { filters: SignatureFilters }) {
  const { t } = useTranslation(['sessions-activity', 'sessions', 'console'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('signatures.filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/signatures', search: signatureFiltersFrom(typed) })}
    >
      <CpfFilter cpf={filters.cpf} />
      <NativeSelect
        name="state"
        label={t('signatures.state')}
        defaultValue={filters.state ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...signatureStates.map((value) => ({ value, label: t(`sessions:signatureState.${value}`) })),
        ]}
      />
      <TextInput
        name="signatureId"
        type="search"
        maxLength={64}
        label={t('signatures.signatureId')}
        defaultValue={filters.signatureId ?? ''}
      />
      <TextInput name="from" type="date" label={t('signatures.from')} defaultValue={filters.from ?? ''} />
      <TextInput name="to" type="date" label={t('signatures.to')} defaultValue={filters.to ?? ''} />
    </FilterForm>
  )
}
