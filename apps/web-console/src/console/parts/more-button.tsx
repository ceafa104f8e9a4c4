import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

/** The state of a query that is read page by page. */
interface Paged {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Loads more of a long list, while there is more. */
export function MoreButton({ query }: { query: Paged }) {
  const { t } = useTranslation('console')
  if (!query.hasNextPage) return null
  return (
    <Button
      className={classes.more!}
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {t('more')}
    </Button>
  )
}
