import { useTranslation } from 'react-i18next'
import parts from '../../console/parts/parts.module.css'
import type { Listed } from '../api/types.ts'

/** Says that there is more than the page shows. */
export function CutNote({ items, totalCount }: Listed<unknown>) {
  const { t } = useTranslation('core')
  return items.length < totalCount ? (
    <p className={parts.small}>{t('cut', { shown: items.length, all: totalCount })}</p>
  ) : null
}
