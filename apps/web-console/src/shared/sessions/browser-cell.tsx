import { Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { browserName } from '../format/browser-name.ts'
import { Chip } from '../parts/chip.tsx'
import classes from './sessions.module.css'

interface Browser {
  readonly userAgent: string
  readonly isCurrent: boolean
}

/** The browser of a session, and whether it is this one. */
export function BrowserCell({ session: { userAgent, isCurrent } }: { session: Browser }) {
  const { t } = useTranslation()
  return (
    <span className={classes.where} title={userAgent}>
      {browserName(userAgent) || t('sessions.unknown')}{' '}
      {isCurrent && (
        <Chip icon={Monitor} tone="good">
          {t('sessions.here')}
        </Chip>
      )}
    </span>
  )
}
