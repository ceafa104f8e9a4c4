import { Button } from '@mantine/core'
import { CircleCheck, CircleX, Download, ShieldCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import type { ParticipantAction } from '../api/types.ts'
import { localAddress } from './local-address.ts'
import classes from './participant.module.css'
import type { Outcome } from './post-to-parent.ts'

/** The outcome, and the next links. */
export function ResultPanel({ action, outcome }: { action: ParticipantAction; outcome: Outcome }) {
  const { t } = useTranslation('documents-participant')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { document, signedContentLocation } = action
  const isRefused = outcome === 'documentRefused'
  const Icon = isRefused ? CircleX : CircleCheck
  return (
    <section className={classes.result}>
      <Icon size={48} aria-hidden="true" data-tone={isRefused ? 'bad' : 'good'} />
      <h1 ref={title} tabIndex={-1} className={classes.title}>
        {t(`done.${outcome}`)}
      </h1>
      <p className={classes.asked}>{document.name}</p>
      <p className={classes.quiet}>{t(isRefused ? 'done.refusedText' : 'done.text')}</p>
      <div className={classes.resultButtons}>
        {!isRefused && signedContentLocation && (
          <Button
            component="a"
            href={localAddress(signedContentLocation)}
            download
            leftSection={<Download size={16} aria-hidden="true" />}
          >
            {t('done.download')}
          </Button>
        )}
        <LinkButton
          variant="default"
          to="/validate/$key"
          params={{ key: document.key }}
          leftSection={<ShieldCheck size={16} aria-hidden="true" />}
        >
          {t('done.validate')}
        </LinkButton>
      </div>
      <p className={classes.quiet}>
        {t('done.key')}: <code>{document.key}</code>
      </p>
    </section>
  )
}
