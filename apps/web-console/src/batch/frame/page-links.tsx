import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  Fingerprint,
  FolderInput,
  Gauge,
  ListChecks,
  type LucideIcon,
  ScrollText,
  ServerCog,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './shell.module.css'

const pages = [
  { to: '/', name: 'overview', icon: Gauge },
  { to: '/jobs', name: 'jobs', icon: ListChecks },
  { to: '/folders', name: 'folders', icon: FolderInput },
  { to: '/profiles', name: 'profiles', icon: Fingerprint },
  { to: '/events', name: 'events', icon: ScrollText },
  { to: '/statistics', name: 'statistics', icon: ChartColumn },
  { to: '/system', name: 'system', icon: ServerCog },
] as const satisfies readonly { to: string; name: string; icon: LucideIcon }[]

/** The way to every page. */
export function PageLinks() {
  const { t } = useTranslation('batch')
  return (
    <nav aria-label={t('nav.label')}>
      <ul className={classes.links}>
        {pages.map(({ to, name, icon: Icon }) => (
          <li key={name}>
            <Link to={to} className={classes.link!} activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon size={18} aria-hidden="true" />
              {t(`nav.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
