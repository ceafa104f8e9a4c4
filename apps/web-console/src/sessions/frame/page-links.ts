import {
  AppWindow,
  FileSignature,
  Gauge,
  History,
  KeySquare,
  LockKeyhole,
  MonitorSmartphone,
  ScrollText,
  UserRoundCog,
  Zap,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Right, usePagesFor } from '../../console/parts/may.tsx'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge, exact: true },
  { to: '/applications', name: 'applications', icon: AppWindow, right: 'applications.read' },
  { to: '/certificates', name: 'certificates', icon: KeySquare },
  { to: '/workstations', name: 'workstations', icon: MonitorSmartphone },
  { to: '/sessions', name: 'sessions', icon: Zap },
  { to: '/history', name: 'history', icon: History },
  { to: '/signatures', name: 'signatures', icon: FileSignature },
  { to: '/lockouts', name: 'lockouts', icon: LockKeyhole },
  { to: '/administrators', name: 'administrators', icon: UserRoundCog, right: 'administrators.read' },
  { to: '/events', name: 'events', icon: ScrollText, right: 'events.read' },
] as const

type Page = (typeof pages)[number] & { readonly right?: Right }

/** The way to every page that whoever is signed in may read. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('sessions')
  return usePagesFor<Page>(pages).map(({ name, ...page }) => ({ ...page, label: t(`nav.${name}`) }))
}
