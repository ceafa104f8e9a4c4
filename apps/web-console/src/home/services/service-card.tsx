import type { ServiceView } from '@chancela/demo/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Command } from '../../shared/command/command.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Secret } from '../../shared/secret/secret.tsx'
import { CommandList } from './command-list.tsx'
import classes from './service-card.module.css'
import { ServiceLinks } from './service-links.tsx'
import { StateBadge } from './state-badge.tsx'

/** Everything about a built service: state, address, key, checks, links, commands. */
export function ServiceCard({ service }: { service: ServiceView }) {
  const { language } = useLanguage()
  const title = service.title[language]
  return (
    <li className={classes.card} data-state={service.state}>
      <CardHead service={service} title={title} specification={service.specification[language]} />
      <p className={classes.summary}>{service.summary[language]}</p>
      <dl className={classes.facts}>
        <Address service={service} title={title} />
        <ApiKey service={service} title={title} />
        <Checks checks={service.checks} />
      </dl>
      {service.state === 'stopped' && <StartHint name={service.name} />}
      <ServiceLinks service={service} title={title} />
      <CommandList service={service} />
    </li>
  )
}

function CardHead({ service, title, specification }: { service: ServiceView; title: string; specification: string }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.head}>
      <div>
        <h3 className={classes.title}>{title}</h3>
        <p className={classes.origin}>
          <code translate="no">{service.name}</code>
          <span>{t('service.specification', { part: specification })}</span>
        </p>
      </div>
      <StateBadge state={service.state} />
    </div>
  )
}

function Address({ service, title }: { service: ServiceView; title: string }) {
  const { t } = useTranslation('home')
  return (
    <Fact name={t('service.address')}>
      {/* No link where nothing answers. */}
      {service.state === 'stopped' ? (
        <code className={classes.address}>{service.baseUrl}</code>
      ) : (
        <a className={classes.address} href={service.baseUrl}>
          {service.baseUrl}
        </a>
      )}
      <CopyButton text={service.baseUrl} what={t('what.address', { service: title })} />
    </Fact>
  )
}

function ApiKey({ service, title }: { service: ServiceView; title: string }) {
  const { t } = useTranslation('home')
  if (!service.apiKey) return null
  return (
    <Fact name={t('service.key')}>
      <Secret value={service.apiKey} what={t('what.key', { service: title })} />
      {service.apiKeyHeader && (
        <span className={classes.note}>{t('service.keyHeader', { header: service.apiKeyHeader })}</span>
      )}
    </Fact>
  )
}

function Checks({ checks }: Pick<ServiceView, 'checks'>) {
  const { t } = useTranslation('home')
  if (checks.length === 0) return null
  return (
    <Fact name={t('service.checks')}>
      {checks.length > FEW && checks.every(({ ok }) => ok) ? (
        <details className={classes.fold}>
          <summary>{t('service.checksOk', { count: checks.length })}</summary>
          <CheckList checks={checks} />
        </details>
      ) : (
        <CheckList checks={checks} />
      )}
    </Fact>
  )
}

/** More checks than these are collapsed while all of them pass. */
const FEW = 3

function CheckList({ checks }: Pick<ServiceView, 'checks'>) {
  return (
    <ul className={classes.checks}>
      {checks.map(({ name, ok }) => (
        <Check key={name} name={name} ok={ok} />
      ))}
    </ul>
  )
}

function Check({ name, ok }: ServiceView['checks'][number]) {
  const { t } = useTranslation('home')
  const Icon = ok ? CircleCheck : CircleX
  return (
    <li className={classes.check} data-ok={ok}>
      <Icon size={15} aria-hidden="true" />
      <code>{name}</code> {t(ok ? 'service.checkOk' : 'service.checkNotOk')}
    </li>
  )
}

function StartHint({ name }: { name: string }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.hint}>
      <p>{t('service.stopped')}</p>
      <Command line={`npm start -- --only ${name}`} what={t('what.start')} />
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
