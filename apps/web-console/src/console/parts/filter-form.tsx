import { Button } from '@mantine/core'
import { FilterX, Search } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

export interface FilterFormProps {
  label: string
  /** The current filters; the fields show them. */
  filters: object
  children: ReactNode
  /** Called on submit with the fields' values by name. */
  onSearch: (typed: Record<string, unknown>) => void
}

/** A form for the filters of a list; applied on submit. */
export function FilterForm({ label, filters, children, onSearch }: FilterFormProps) {
  const { t } = useTranslation('console')

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSearch(Object.fromEntries(new FormData(event.currentTarget)))
  }

  return (
    // A new form per URL: uncontrolled fields would keep what was typed before.
    <form key={JSON.stringify(filters)} className={classes.filters} onSubmit={search} aria-label={label}>
      {children}
      <div className={classes.filterButtons}>
        <Button type="submit" variant="default" leftSection={<Search size={16} aria-hidden="true" />}>
          {t('search')}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" leftSection={<FilterX size={16} aria-hidden="true" />} onClick={() => onSearch({})}>
            {t('clear')}
          </Button>
        )}
      </div>
    </form>
  )
}
