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
import { type Right, usePagesFor } from '../../console/parts/may.tsx'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/', name: 'overview', icon: Gauge, exact: true },
  { to: '/subscriptions', name: 'subscriptions', icon: Building2 },
  { to: '/applications', name: 'applications', icon: AppWindow, right: 'applications.read' },
  { to: '/security-contexts', name: 'contexts', icon: ShieldCheck, right: 'security-contexts.read' },
  { to: '/signature-sessions', name: 'sessions', icon: Signature },
  { to: '/bio-subjects', name: 'subjects', icon: ScanFace, right: 'bio-subjects.read' },
  { to: '/authentications', name: 'authentications', icon: UserRoundKey },
  { to: '/problems', name: 'problems', icon: TriangleAlert },
  { to: '/administrators', name: 'administrators', icon: UserRoundCog, right: 'administrators.read' },
  { to: '/events', name: 'events', icon: ScrollText, right: 'events.read' },
] as const

type Page = (typeof pages)[number] & { readonly right?: Right }

/** The way to every page that whoever is signed in may read. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('core')
  return usePagesFor<Page>(pages).map(({ name, ...page }) => ({ ...page, label: t(`nav.${name}`) }))
}
