import { Button } from '@mantine/core'
import { FilterX, Search } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

export interface FilterFormProps {
  label: string
  /** What the list is narrowed to now; its fields show it. */
  filters: object
  children: ReactNode
  /** Called with what stands in the fields, by their names, when the form is sent. */
  onSearch: (typed: Record<string, unknown>) => void
}

/** What a list is narrowed to; asked when the form is sent. */
export function FilterForm({ label, filters, children, onSearch }: FilterFormProps) {
  const { t } = useTranslation('console')

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSearch(Object.fromEntries(new FormData(event.currentTarget)))
  }

  return (
    // A new form for another address: fields without a state of their own would keep what was typed before.
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
