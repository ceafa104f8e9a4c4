import type { ServiceView } from '@chancela/demo/contract'
import { Activity, BookOpen, FileBraces, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './service-card.module.css'

const links = [
  { address: 'referenceUrl', text: 'service.reference', icon: BookOpen },
  { address: 'openApiUrl', text: 'service.openApi', icon: FileBraces },
  { address: 'healthUrl', text: 'service.health', icon: Activity },
] as const satisfies { address: keyof ServiceView; text: string; icon: LucideIcon }[]

/** Links to the service's documentation; only those it has. */
export function ServiceLinks({ service, title }: { service: ServiceView; title: string }) {
  const { t } = useTranslation('home')
  const present = links.filter(({ address }) => service[address])
  if (present.length === 0) return null
  return (
    <ul className={classes.links} aria-label={t('service.links', { service: title })}>
      {present.map(({ address, text, icon: Icon }) => (
        <li key={address}>
          <a href={service[address]}>
            <Icon size={15} aria-hidden="true" />
            {t(text)}
          </a>
        </li>
      ))}
    </ul>
  )
}
