import {
  BookOpen,
  Building2,
  FileCheck2,
  FileUp,
  GraduationCap,
  Handshake,
  History,
  LayoutTemplate,
  PenLine,
  RotateCw,
  Route,
  School,
  ScrollText,
  Send,
  Stamp,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/signatures', name: 'signatures', icon: PenLine },
  { to: '/degrees', name: 'degrees', icon: ScrollText },
  { to: '/emissions', name: 'emissions', icon: Send },
  { to: '/registrations', name: 'registrations', icon: Stamp },
  { to: '/academic-transcripts', name: 'transcripts', icon: FileCheck2 },
  { to: '/curriculums', name: 'curriculums', icon: GraduationCap },
  { to: '/batches', name: 'batches', icon: FileUp },
  { to: '/restamps', name: 'restamps', icon: RotateCw },
  { to: '/institutes', name: 'institutes', icon: School },
  { to: '/partnerships', name: 'partnerships', icon: Handshake },
  { to: '/courses', name: 'courses', icon: BookOpen },
  { to: '/flows', name: 'flows', icon: Route },
  { to: '/templates', name: 'templates', icon: LayoutTemplate },
  { to: '/organization', name: 'organization', icon: Building2 },
  { to: '/events', name: 'events', icon: History },
] as const

/** The way to every page; what only an Administrador may do there is hidden on the page itself. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('credentials')
  return pages.map(({ to, name, icon }) => ({ to, icon, label: t(`nav.${name}`) }))
}
