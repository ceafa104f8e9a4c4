import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import type { Institute } from '../api/types.ts'
import { useListSearch } from './list-search.ts'

/** The institutions of the organization, for choices and names. */
const useInstitutes = (): readonly Institute[] =>
  useQuery(listQuery<Institute>('institutes', { pageSize: MOST_CHOICES })).data?.items ?? []

/** How an institution is called, by its id. */
export function useInstituteName(): (id: string | null) => string {
  const institutes = useInstitutes()
  return (id) => institutes.find((one) => one.id === id)?.name ?? '–'
}

export interface InstituteSelectProps extends Omit<NativeSelectProps, 'data'> {
  /** What choosing none means. */
  none: string
  /** Which of them are offered. */
  offered?: (institute: Institute) => boolean
}

export function InstituteSelect({ none, offered = () => true, ...select }: InstituteSelectProps) {
  const institutes = useInstitutes().filter(offered)
  const data = [{ value: '', label: none }, ...institutes.map(({ id, name }) => ({ value: id, label: name }))]
  return <NativeSelect data={data} {...select} />
}

/** Narrows a list to one institution. */
export function InstituteFilter() {
  const { t } = useTranslation('credentials')
  const { search } = useListSearch()
  const known = useInstitutes()
  return (
    <InstituteSelect
      // Uncontrolled: it must be drawn again once there is something to choose.
      key={known.length}
      name="instituteId"
      label={t('institute')}
      none={t('anyInstitute')}
      defaultValue={search.instituteId ?? ''}
    />
  )
}
