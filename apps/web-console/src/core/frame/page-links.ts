import {
  AppWindow,
  Building2,
  Gauge,
  ScanFace,
  ScrollText,
  ShieldCheck,
  Signature,
  TriangleAlert,
  UserRoundCog,
  UserRoundKey,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge, exact: true },
  { to: '/subscriptions', name: 'subscriptions', icon: Building2 },
  { to: '/applications', name: 'applications', icon: AppWindow },
  { to: '/security-contexts', name: 'contexts', icon: ShieldCheck },
  { to: '/signature-sessions', name: 'sessions', icon: Signature },
  { to: '/bio-subjects', name: 'subjects', icon: ScanFace },
  { to: '/authentications', name: 'authentications', icon: UserRoundKey },
  { to: '/problems', name: 'problems', icon: TriangleAlert },
  { to: '/administrators', name: 'administrators', icon: UserRoundCog },
  { to: '/events', name: 'events', icon: ScrollText },
] as const

/** The way to every page. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('core')
  return pages.map(({ name, ...page }) => ({ ...page, label: t(`nav.${name}`) }))
}
