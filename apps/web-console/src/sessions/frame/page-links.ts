import {
  AppWindow,
  FileSignature,
  Gauge,
  KeySquare,
  LockKeyhole,
  MonitorSmartphone,
  ScrollText,
  UserRoundCog,
  Zap,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge, exact: true },
  { to: '/applications', name: 'applications', icon: AppWindow },
  { to: '/certificates', name: 'certificates', icon: KeySquare },
  { to: '/workstations', name: 'workstations', icon: MonitorSmartphone },
  { to: '/sessions', name: 'sessions', icon: Zap },
  { to: '/signatures', name: 'signatures', icon: FileSignature },
  { to: '/lockouts', name: 'lockouts', icon: LockKeyhole },
  { to: '/administrators', name: 'administrators', icon: UserRoundCog },
  { to: '/events', name: 'events', icon: ScrollText },
] as const

/** The way to every page. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('sessions')
  return pages.map(({ name, ...page }) => ({ ...page, label: t(`nav.${name}`) }))
}
