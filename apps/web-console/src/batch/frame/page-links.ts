import { ChartColumn, Fingerprint, FolderInput, Gauge, ListChecks, ScrollText, ServerCog } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge },
  { to: '/jobs', name: 'jobs', icon: ListChecks },
  { to: '/folders', name: 'folders', icon: FolderInput },
  { to: '/profiles', name: 'profiles', icon: Fingerprint },
  { to: '/events', name: 'events', icon: ScrollText },
  { to: '/statistics', name: 'statistics', icon: ChartColumn },
  { to: '/system', name: 'system', icon: ServerCog },
] as const

/** The way to every page. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('batch')
  return pages.map(({ to, name, icon }) => ({ to, icon, label: t(`nav.${name}`), exact: to === '/' }))
}
