import type { ServiceView } from '@chancela/demo/contract'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Secret } from '../../shared/secret/secret.tsx'
import { Breakable } from '../breakable.tsx'
import { Section } from '../section.tsx'
import classes from './look-section.module.css'

/** The pages for people: their addresses and credentials. */
export function LookSection({ services }: { services: readonly ServiceView[] }) {
  const { t } = useTranslation('home')
  const platform = services.find(({ name, signIn }) => name === 'document-platform' && signIn)
  return (
    <Section id="look" title={t('look.title')} lead={t('look.lead')}>
      <ul className={classes.cards}>
        {services.map((service) => service.signIn && <SignInCard key={service.name} service={service} />)}
        <LookCard title={t('look.mail')} text={t('look.mailText')} url="mail" />
        {platform && (
          <LookCard title={t('look.validate')} text={t('look.validateText')} url={`${platform.baseUrl}/validate`} />
        )}
      </ul>
    </Section>
  )
}

function SignInCard({ service }: { service: ServiceView }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const { url, email, password } = service.signIn!
  const title = service.title[language]
  return (
    <LookCard title={title} text={service.summary[language]} url={url}>
      <dl className={classes.facts}>
        {email && (
          <div>
            <dt>{t('look.email')}</dt>
            <dd>
              <span className={classes.value}>
                <Breakable text={email} before="@" />
              </span>
              <CopyButton text={email} what={t('what.email', { service: title })} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t(email ? 'look.password' : 'look.key')}</dt>
          <dd>
            <Secret value={password} what={t('what.password', { service: title })} />
          </dd>
        </div>
      </dl>
    </LookCard>
  )
}

function LookCard(props: { title: string; text: string; url: string; children?: ReactNode }) {
  const { t } = useTranslation('home')
  return (
    <li className={classes.card}>
      <h3 className={classes.title}>{props.title}</h3>
      <p className={classes.text}>{props.text}</p>
      {props.children}
      <a className={classes.open} href={props.url} aria-label={`${t('look.open')}: ${props.title}`}>
        {t('look.open')}
        <ArrowRight size={16} aria-hidden="true" />
      </a>
    </li>
  )
}
