import type { ServiceView } from '@chancela/demo/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import classes from './planned-card.module.css'
import { StateBadge } from './state-badge.tsx'

/** A specified service that is not built yet: its purpose and port; no link, because nothing answers there. */
export function PlannedCard({ service }: { service: ServiceView }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const title = service.title[language]
  return (
    <li className={classes.card}>
      <h4 className={classes.title}>{title}</h4>
      <StateBadge state={service.state} />
      <p className={classes.summary}>{service.summary[language]}</p>
      <p className={classes.origin}>
        <span>{t('service.specification', { part: service.specification[language] })}</span>
        <code>{service.baseUrl}</code>
      </p>
    </li>
  )
}
