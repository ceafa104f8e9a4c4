import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

/** What a list that is read page by page tells of itself. */
interface Paged {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Shows more of a long list, while there is more. */
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
