import { Building2, FilePlus2, Files, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'

const pages = [
  { to: '/documents', name: 'documents', icon: Files, exact: true },
  { to: '/documents/new', name: 'new', icon: FilePlus2, exact: true },
  { to: '/webhooks', name: 'webhooks', icon: Webhook, exact: false },
  { to: '/organization', name: 'organization', icon: Building2, exact: false },
] as const

/** The way to every page. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('documents')
  return pages.map(({ to, name, icon, exact }) => ({ to, icon, exact, label: t(`nav.${name}`) }))
}
