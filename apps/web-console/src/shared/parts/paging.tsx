import { Button } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

export interface PagingProps {
  /** Absent where there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** Which part of the list is shown. */
  children: ReactNode
}

/** Navigation through the pages of a list. */
export function Paging({ onPrevious, onNext, children }: PagingProps) {
  const { t } = useTranslation()
  return (
    <nav className={classes.paging} aria-label={t('paging.label')}>
      <Button
        variant="default"
        size="xs"
        disabled={!onPrevious}
        leftSection={<ChevronLeft size={14} aria-hidden="true" />}
        onClick={() => onPrevious?.()}
      >
        {t('paging.previous')}
      </Button>
      <span aria-live="polite">{children}</span>
      <Button
        variant="default"
        size="xs"
        disabled={!onNext}
        rightSection={<ChevronRight size={14} aria-hidden="true" />}
        onClick={() => onNext?.()}
      >
        {t('paging.next')}
      </Button>
    </nav>
  )
}
