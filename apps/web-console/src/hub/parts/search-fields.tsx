import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import type { Search } from './search.ts'

/** The fields of a form that searches by them. */
export function SearchFields({ search: { identifier, application, from, to } }: { search: Search }) {
  const { t } = useTranslation('hub-activity')
  return (
    <>
      <TextInput
        name="identifier"
        type="search"
        maxLength={20}
        autoComplete="off"
        label={t('search.identifier')}
        placeholder="000.000.000-00"
        defaultValue={formatTaxId(identifier ?? '')}
      />
      <TextInput
        name="application"
        type="search"
        maxLength={200}
        label={t('search.application')}
        defaultValue={application ?? ''}
      />
      <TextInput name="from" type="date" label={t('search.from')} defaultValue={from ?? ''} />
      <TextInput name="to" type="date" label={t('search.to')} defaultValue={to ?? ''} />
    </>
  )
}
