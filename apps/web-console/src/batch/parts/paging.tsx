import { Button } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../format/use-formats.ts'
import classes from './parts.module.css'

/** The way through the pages of a list. */
export function Paging(props: { page: number; pageSize: number; totalCount: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('batch')
  const { count } = useFormats()
  const { page, pageSize, totalCount } = props
  const last = Math.max(1, Math.ceil(totalCount / pageSize))
  const from = (page - 1) * pageSize + 1
  return (
    <nav className={classes.paging} aria-label={t('paging.label')}>
      <Button
        variant="default"
        size="xs"
        disabled={page <= 1}
        leftSection={<ChevronLeft size={14} aria-hidden="true" />}
        onClick={() => props.onPage(page - 1)}
      >
        {t('paging.previous')}
      </Button>
      <span aria-live="polite">
        {t('paging.range', {
          from: count(Math.min(from, totalCount)),
          to: count(Math.min(totalCount, page * pageSize)),
          total: count(totalCount),
        })}
      </span>
      <Button
        variant="default"
        size="xs"
        disabled={page >= last}
        rightSection={<ChevronRight size={14} aria-hidden="true" />}
        onClick={() => props.onPage(page + 1)}
      >
        {t('paging.next')}
      </Button>
    </nav>
  )
}
