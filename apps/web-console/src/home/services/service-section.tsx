import type { ServiceView } from '@chancela/demo/contract'
import { PackageOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Section } from '../section.tsx'
import { PlannedCard } from './planned-card.tsx'
import { ServiceCard } from './service-card.tsx'
import classes from './service-section.module.css'

/** A card per service: built services in detail, planned ones in short. */
export function ServiceSection({ services }: { services: readonly ServiceView[] }) {
  const { t } = useTranslation('home')
  const built = services.filter(({ state }) => state !== 'not-built')
  const planned = services.filter(({ state }) => state === 'not-built')
  return (
    <Section id="services" title={t('services.title')} lead={t('services.lead')}>
      {built.length > 0 ? <BuiltServices services={built} /> : <NoService />}
      {planned.length > 0 && <PlannedServices services={planned} />}
    </Section>
  )
}

function BuiltServices({ services }: { services: readonly ServiceView[] }) {
  return (
    <ul className={classes.cards}>
      {services.map((service) => (
        <ServiceCard key={service.name} service={service} />
      ))}
    </ul>
  )
}

function PlannedServices({ services }: { services: readonly ServiceView[] }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.planned}>
      <h3 className={classes.plannedTitle}>{t('services.planned')}</h3>
      <p className={classes.plannedLead}>{t('services.plannedLead')}</p>
      <ul className={classes.plannedCards}>
        {services.map((service) => (
          <PlannedCard key={service.name} service={service} />
        ))}
      </ul>
    </div>
  )
}

function NoService() {
  const { t } = useTranslation('home')
  return (
    <PageState icon={PackageOpen} title={t('services.empty')}>
      {t('services.emptyText')}
    </PageState>
  )
}
