import type { SuiteView } from '@chancela/demo/contract'
import { VisuallyHidden } from '@mantine/core'
import { Signpost } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Command } from '../../shared/command/command.tsx'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Section } from '../section.tsx'
import { commandTitle, serviceText } from '../texts/server-texts.ts'
import classes from './tour-section.module.css'
import { type TourStep, tourSteps } from './tour-steps.ts'

/** Commands to walk through, one after the other, across every service that answers. */
export function TourSection({ suite }: { suite: SuiteView }) {
  const { t } = useTranslation('home')
  const steps = tourSteps(suite)
  return (
    <Section id="tour" title={t('tour.title')} lead={t('tour.lead')}>
      {steps.length > 0 ? <Steps steps={steps} /> : <NoStep />}
    </Section>
  )
}

function Steps({ steps }: { steps: readonly TourStep[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <Step key={`${step.service.name} ${step.command}`} step={step} />
      ))}
    </ol>
  )
}

function Step({ step: { number, service, title, command } }: { step: TourStep }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const words = commandTitle(title, language)
  const serviceTitle = serviceText(service, language).title
  return (
    <li className={classes.step}>
      <span className={classes.number} aria-hidden="true">
        {number}
      </span>
      <div className={classes.body}>
        <p className={classes.service}>{serviceTitle}</p>
        <h3 className={classes.title}>
          <VisuallyHidden>{t('tour.step', { number })}: </VisuallyHidden>
          {words}
        </h3>
        <Command
          line={command}
          what={t('what.command', { title: words, service: serviceTitle })}
          secret={service.apiKey}
        />
      </div>
    </li>
  )
}

function NoStep() {
  const { t } = useTranslation('home')
  return (
    <PageState icon={Signpost} title={t('tour.empty')}>
      {t('tour.emptyText')}
    </PageState>
  )
}
