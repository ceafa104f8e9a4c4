import { Building2, FilePlus2, Files, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PageLink } from '../../shared/frame/frame.tsx'
import { useRights } from '../parts/rights.ts'

const pages = [
  { to: '/documents', name: 'documents', icon: Files, exact: true, needs: 'documents.read' },
  { to: '/documents/new', name: 'new', icon: FilePlus2, exact: true, needs: 'documents.create' },
  { to: '/webhooks', name: 'webhooks', icon: Webhook, exact: false, needs: 'webhooks.manage' },
  { to: '/organization', name: 'organization', icon: Building2, exact: false, needs: 'organization.read' },
] as const

/** The way to every page that the visitor's roles allow. */
export function usePageLinks(): readonly PageLink[] {
  const { t } = useTranslation('documents')
  const { may } = useRights()
  return pages
    .filter(({ needs }) => may(needs))
    .map(({ to, name, icon, exact }) => ({ to, icon, exact, label: t(`nav.${name}`) }))
}
