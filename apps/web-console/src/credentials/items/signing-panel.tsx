import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock, Hourglass, type LucideIcon, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { ServiceWords } from '../../shared/parts/service-words.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { documentsQuery, reopenDocument } from '../api/items.ts'
import type { Flow, SigningStep, XmlDocument } from '../api/types.ts'
import parts from '../parts/parts.module.css'
import { SignDialog } from '../signatures/sign-dialog.tsx'
import classes from './items.module.css'

/** How far the XML documents of an item have come, and the way to sign the step that waits for a person. */
export function SigningPanel({ ownerId }: { ownerId: string }) {
  const { t } = useTranslation('credentials-items')
  return (
    <Panel title={t('signing.title')}>
      <Queried query={useQuery(documentsQuery(ownerId))}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className={parts.quiet}>{t('signing.none')}</p>}
            {items.map((document) => (
              <DocumentSteps key={document.id} document={document} />
            ))}
          </>
        )}
      </Queried>
    </Panel>
  )
}

const looks: Readonly<Record<SigningStep['state'], { icon: LucideIcon; tone: Tone }>> = {
  done: { icon: CircleCheck, tone: 'good' },
  open: { icon: PenLine, tone: 'warning' },
  unfinished: { icon: Hourglass, tone: 'busy' },
  waiting: { icon: Clock, tone: 'plain' },
}

function DocumentSteps({ document }: { document: XmlDocument }) {
  const { t } = useTranslation('credentials-items')
  const [signs, setSigns] = useState(false)
  const isOpen = document.status === 'Open' && document.next.length > 0
  return (
    <div className={classes.document}>
      <p>{`${t(`signing.document.${document.documentKind}`)}: ${t(`signing.status.${document.status}`)}`}</p>
      {document.error && (
        <div className={parts.problem}>
          <ServiceWords text={document.error} messages={document.errorMessages} />
        </div>
      )}
      <ol className={classes.steps}>
        {document.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      <AtPlatform document={document} />
      {document.status === 'Failed' && <ReopenButtons document={document} />}
      {isOpen && (
        <Button
          className={parts.button!}
          leftSection={<PenLine size={16} aria-hidden="true" />}
          onClick={() => setSigns(true)}
        >
          {t('signing.sign')}
        </Button>
      )}
      {signs && (
        <SignDialog
          documents={[{ documentId: document.id, title: t(`signing.document.${document.documentKind}`) }]}
          onClose={() => setSigns(false)}
        />
      )}
    </div>
  )
}

/** Where people sign, if not here. */
function AtPlatform({ document: { platform } }: { document: XmlDocument }) {
  const { t } = useTranslation('credentials-items')
  if (platform?.status !== 'Sending' && platform?.status !== 'Sent') return null
  return (
    <>
      <p>{t(`signing.platform.${platform.status}`)}</p>
      {platform.error && (
        <div className={parts.problem}>
          <ServiceWords text={platform.error} messages={platform.errorMessages} />
        </div>
      )}
      {platform.documentUrl && (
        <p>
          <a href={platform.documentUrl} target="_blank" rel="noreferrer">
            {t('signing.platformOpen')}
          </a>
        </p>
      )}
    </>
  )
}

/** A document that failed is signed after all: there, where it was sent to, or here. */
function ReopenButtons({ document: { id, platform } }: { document: XmlDocument }) {
  const { t } = useTranslation('credentials-items')
  const { run, busy } = useAction(
    (place: Flow['signedAt']) => reopenDocument(id, place),
    () => t('signing.reopened'),
  )
  return (
    <div className={parts.buttons}>
      {platform && (
        <Button className={parts.button!} loading={busy} onClick={() => void run('DocumentPlatform')}>
          {t('signing.reopenThere')}
        </Button>
      )}
      <Button className={parts.button!} variant="default" loading={busy} onClick={() => void run('Here')}>
        {t('signing.reopenHere')}
      </Button>
    </div>
  )
}

function Step({ step }: { step: SigningStep }) {
  const { t } = useTranslation('credentials-items')
  const { certificateKind, level, state, signers, missing } = step
  const who = [...signers, ...missing].map(formatTaxId).join(', ')
  return (
    <li className={classes.step}>
      <span>
        {`${t(`signing.certificate.${certificateKind}`)} · ${level}`}
        {who && <span className={classes.entryDetail}>{who}</span>}
      </span>
      <Chip {...looks[state]}>{t(`signing.state.${state}`)}</Chip>
    </li>
  )
}
