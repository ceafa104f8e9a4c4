import { Button } from '@mantine/core'
import { Stamp, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { OwnMark } from './use-own-mark.ts'

export interface MarkPanelProps {
  /** Whether the sender has fixed the place. */
  isFixed: boolean
  own: OwnMark
  /** The page that is in view. */
  page: number
}

/** Whether and where the signature is visible on the pages. */
export function MarkPanel({ isFixed, own, page }: MarkPanelProps) {
  const { t } = useTranslation('documents-participant')
  return (
    <Panel title={t('mark.title')}>
      {isFixed && <p>{t('mark.fixed')}</p>}
      {!isFixed && own.mark && (
        <>
          <p>{t('mark.move')}</p>
          <Button variant="default" leftSection={<X size={16} aria-hidden="true" />} onClick={own.remove}>
            {t('mark.remove')}
          </Button>
        </>
      )}
      {!isFixed && !own.mark && (
        <Button variant="default" leftSection={<Stamp size={16} aria-hidden="true" />} onClick={own.place}>
          {t('mark.add', { page })}
        </Button>
      )}
    </Panel>
  )
}
