import { AppWindow, Cloud, Gauge, ScrollText, Stamp, UserRoundCog, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge, exact: true },
  { to: '/providers', name: 'providers', icon: Cloud },
  { to: '/applications', name: 'applications', icon: AppWindow },
  { to: '/sessions', name: 'sessions', icon: Zap },
  { to: '/uses', name: 'uses', icon: Stamp },
  { to: '/administrators', name: 'administrators', icon: UserRoundCog },
  { to: '/events', name: 'events', icon: ScrollText },
] as const

/** The way to every page. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('hub')
  return pages.map(({ name, ...page }) => ({ ...page, label: t(`nav.${name}`) }))
}
