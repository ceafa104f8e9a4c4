import { type LucideIcon, SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'

export interface NothingProps {
  icon: LucideIcon
  title: string
  text: string
  /** Whether filters may be the reason for the empty list. */
  narrowed?: boolean
}

/** Shown in place of an empty list. */
export function Nothing({ icon, title, text, narrowed = false }: NothingProps) {
  const { t } = useTranslation('console')
  return (
    <PageState icon={narrowed ? SearchX : icon} title={narrowed ? t('noneFound') : title}>
      {narrowed ? t('noneFoundText') : text}
    </PageState>
  )
}
