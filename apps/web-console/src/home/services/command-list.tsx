import type { ServiceView } from '@chancela/demo/contract'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Command } from '../../shared/command/command.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import classes from './service-card.module.css'

/** The service's commands, collapsed. */
export function CommandList({ service }: { service: ServiceView }) {
  const { t } = useTranslation('home')
  if (service.curl.length === 0) return null
  return (
    <details className={classes.commands}>
      <summary>
        <ChevronRight size={16} aria-hidden="true" />
        {t('service.commands', { count: service.curl.length })}
      </summary>
      <ul>
        {service.curl.map((line) => (
          <CommandItem key={line.command} service={service} line={line} />
        ))}
      </ul>
    </details>
  )
}

function CommandItem({ service, line }: { service: ServiceView; line: ServiceView['curl'][number] }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const title = line.title[language]
  const what = t('what.command', { title, service: service.title[language] })
  return (
    <li>
      <p>{title}</p>
      <Command line={line.command} what={what} secret={service.apiKey} />
    </li>
  )
}
