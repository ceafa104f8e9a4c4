import type { WalkView } from '@chancela/demo/contract'
import { Button } from '@mantine/core'
import { CircleCheck, CircleHelp, CircleX, Download, type LucideIcon, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import classes from './walk.module.css'
import type { StepProps } from './walk-steps.ts'

type Indication = NonNullable<WalkView['verdict']>['indication']

const icons: Readonly<Record<Indication, LucideIcon>> = {
  valid: CircleCheck,
  invalid: CircleX,
  indeterminate: CircleHelp,
}

/** What the signature engine found in the signed file. */
export function VerdictStep({ walk: { verdict, signedUrl, validateUrl } }: StepProps) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  if (!verdict) return <p>{t('walk.verdict.waiting')}</p>
  const { indication, findings } = verdict
  const Icon = icons[indication]
  return (
    <>
      <p className={classes.verdict} data-indication={indication}>
        <Icon size={24} aria-hidden="true" />
        {t(`walk.verdict.${indication}`)}
      </p>
      <p>{t('walk.verdict.text')}</p>
      <dl className={classes.findings}>
        {findings[language].map(({ label, lines }) => (
          <div key={label}>
            <dt>{label}</dt>
            {lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
      </dl>
      <div className={classes.buttons}>
        <Button component="a" href={signedUrl} download leftSection={<Download size={16} aria-hidden="true" />}>
          {t('walk.verdict.download')}
        </Button>
        <Button
          component="a"
          href={validateUrl}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<ShieldCheck size={16} aria-hidden="true" />}
        >
          {t('walk.verdict.validate')}
        </Button>
      </div>
    </>
  )
}
