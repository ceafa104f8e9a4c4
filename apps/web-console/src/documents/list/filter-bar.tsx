import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { queryTypes, statusFilters } from '../api/types.ts'
import { type DocumentFilters, filtersFromSearch } from './document-filters.ts'
import classes from './list.module.css'

/** The filters of the list; applied on submit. */
export function FilterBar(props: { filters: DocumentFilters; onChange: (filters: DocumentFilters) => void }) {
  const { t } = useTranslation(['documents-list', 'documents'])
  const { filters, onChange } = props

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget))
    onChange(filtersFromSearch({ ...typed, folder: filters.folder }))
  }

  return (
    <form className={classes.filters} onSubmit={search} aria-label={t('filters.label')}>
      <TextInput name="q" type="search" label={t('filters.q')} defaultValue={filters.q ?? ''} />
      <NativeSelect
        name="by"
        label={t('filters.by')}
        defaultValue={filters.by ?? 'Name'}
        data={queryTypes.map((value) => ({ value, label: t(`filters.byType.${value}`) }))}
      />
      <TextInput
        name="participant"
        type="search"
        label={t('filters.participant')}
        placeholder={t('filters.participantHint')}
        defaultValue={filters.participant ?? ''}
      />
      <NativeSelect
        name="status"
        label={t('filters.status')}
        defaultValue={filters.status ?? ''}
        data={[
          { value: '', label: t('filters.anyStatus') },
          ...statusFilters.map((value) => ({ value, label: t(`documents:status.${value}`) })),
        ]}
      />
      <Button type="submit" variant="default" leftSection={<Search size={16} aria-hidden="true" />}>
        {t('filters.apply')}
      </Button>
    </form>
  )
}
