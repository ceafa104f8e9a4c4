import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './services/service-section.module.css'

const CARDS = ['first', 'second', 'third', 'fourth']

/** Skeleton of the page while its first data loads. */
export function HomeSkeleton() {
  const { t } = useTranslation()
  return (
    <div aria-busy="true">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      <Skeleton height={32} width={180} mb="lg" />
      <div className={classes.cards}>
        {CARDS.map((card) => (
          <Skeleton key={card} height={260} radius="lg" />
        ))}
      </div>
    </div>
  )
}
