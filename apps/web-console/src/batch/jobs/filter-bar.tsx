import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { FilterX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { profilesQuery } from '../api/profiles.ts'
import { jobSources, jobStatuses, signatureFormats } from '../api/types.ts'
import { isFiltered, type JobFilters, withFilter } from './job-filters.ts'
import classes from './jobs.module.css'

/** Requests are sent only after typing has paused. */
const TYPING_MS = 300

/** The filters of the list; each change updates the URL. */
export function FilterBar({ filters, onChange }: { filters: JobFilters; onChange: (filters: JobFilters) => void }) {
  const { t } = useTranslation(['batch-jobs', 'batch'])
  const { data: profiles = [] } = useQuery(profilesQuery)
  const set = (name: Parameters<typeof withFilter>[1]) => (value: string) => onChange(withFilter(filters, name, value))
  const any = { value: '', label: t('filters.any') }
  return (
    <search className={classes.filters} aria-label={t('filters.label')}>
      <Choice
        label={t('columns.status')}
        value={filters.status}
        onChange={set('status')}
        choices={[any, ...jobStatuses.map((value) => ({ value, label: t(`batch:status.${value}`) }))]}
      />
      <Choice
        label={t('columns.profile')}
        value={filters.profile}
        onChange={set('profile')}
        choices={[any, ...profiles.map(({ name }) => ({ value: name, label: name }))]}
      />
      <Choice
        label={t('columns.format')}
        value={filters.format}
        onChange={set('format')}
        choices={[any, ...signatureFormats.map((value) => ({ value, label: t(`batch:format.${value}`) }))]}
      />
      <Choice
        label={t('columns.source')}
        value={filters.source}
        onChange={set('source')}
        choices={[any, ...jobSources.map((value) => ({ value, label: t(`batch:source.${value}`) }))]}
      />
      <NameFilter value={filters.fileName ?? ''} onChange={set('fileName')} />
      <DayFilter label={t('filters.from')} value={filters.from} onChange={set('from')} />
      <DayFilter label={t('filters.to')} value={filters.to} onChange={set('to')} />
      <Button
        className={classes.clear!}
        variant="subtle"
        disabled={!isFiltered(filters)}
        leftSection={<FilterX size={16} aria-hidden="true" />}
        onClick={() => onChange({})}
      >
        {t('filters.clear')}
      </Button>
    </search>
  )
}

interface ChoiceProps {
  label: string
  value: string | undefined
  choices: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

function Choice({ label, value = '', choices, onChange }: ChoiceProps) {
  // An unknown value, from a hand-written URL, is shown as it is: the service will refuse it.
  const known = choices.some((choice) => choice.value === value)
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={known ? [...choices] : [...choices, { value, label: value }]}
    />
  )
}

function NameFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('batch-jobs')
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const settle = useDebouncedCallback(onChange, TYPING_MS)
  return (
    <TextInput
      label={t('filters.fileName')}
      type="search"
      size="sm"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        settle(event.currentTarget.value)
      }}
    />
  )
}

function DayFilter(props: { label: string; value: string | undefined; onChange: (value: string) => void }) {
  return (
    <TextInput
      label={props.label}
      type="date"
      size="sm"
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
