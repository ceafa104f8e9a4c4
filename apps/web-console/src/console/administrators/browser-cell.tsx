import { Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { browserName } from '../../shared/format/browser-name.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import type { OwnSession } from '../api/types.ts'
import classes from './account.module.css'

/** The browser of a session, and whether it is this one. */
export function BrowserCell({ session: { userAgent, isCurrent } }: { session: OwnSession }) {
  const { t } = useTranslation('console-sessions')
  return (
    <span className={classes.where} title={userAgent}>
      {browserName(userAgent) || t('unknown')}{' '}
      {isCurrent && (
        <Chip icon={Monitor} tone="good">
          {t('here')}
        </Chip>
      )}
    </span>
  )
}
