import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Paging as SharedPaging } from '../../shared/parts/paging.tsx'

/** Navigation through the pages of a list whose length is known. */
export function Paging(props: { page: number; pageSize: number; totalCount: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('batch')
  const { count } = useFormats()
  const { page, pageSize, totalCount } = props
  const last = Math.max(1, Math.ceil(totalCount / pageSize))
  const from = (page - 1) * pageSize + 1
  return (
    <SharedPaging
      onPrevious={page > 1 ? () => props.onPage(page - 1) : undefined}
      onNext={page < last ? () => props.onPage(page + 1) : undefined}
    >
      {t('paging.range', {
        from: count(Math.min(from, totalCount)),
        to: count(Math.min(totalCount, page * pageSize)),
        total: count(totalCount),
      })}
    </SharedPaging>
  )
}
