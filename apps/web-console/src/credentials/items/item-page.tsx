import { useParams } from '@tanstack/react-router'
import { CopyPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Item } from '../api/types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { PageOfItem } from '../parts/page-of-item.tsx'
import classes from '../parts/parts.module.css'
import { ActButtons } from './act-buttons.tsx'
import { FilesPanel } from './files-panel.tsx'
import type { ItemResource } from './item-kinds.ts'
import { RegisterPanel } from './register-panel.tsx'
import { RegisteredPanel } from './registered-panel.tsx'
import { SendPanel } from './send-panel.tsx'
import { SigningPanel } from './signing-panel.tsx'
import { StatusChip } from './status-chip.tsx'
import { TimelinePanel } from './timeline-panel.tsx'

export const DegreePage = () => <ItemPage resource="degrees" />
export const EmissionPage = () => <ItemPage resource="emissions" />
export const RegistrationPage = () => <ItemPage resource="registrations" />
export const TranscriptPage = () => <ItemPage resource="academic-transcripts" />
export const CurriculumPage = () => <ItemPage resource="curriculums" />

/** States that signatures of others end. */
const moving: readonly Item['status'][] = ['Pending', 'Created', 'Registered', 'SentToRegistry']

/** One document: what it says, how far it has come, what may be done with it, what happened. */
function ItemPage({ resource }: { resource: ItemResource }) {
  const { t } = useTranslation('credentials-items')
  const { id = '' } = useParams({ strict: false })
  const back = <BackLink to={`/${resource}`}>{t(`kind.${resource}.title`)}</BackLink>
  return (
    <PageOfItem<Item>
      resource={resource}
      id={id}
      title={t(`kind.${resource}.one`)}
      back={back}
      isMoving={({ status }) => moving.includes(status)}
    >
      {(item) => (
        <>
          <PageHead
            title={item.studentSocialName ?? item.studentName ?? item.code ?? id}
            above={back}
            lead={
              <span className={classes.lead}>
                <StatusChip status={item.status} /> {item.reason && t('because', { reason: item.reason })}
              </span>
            }
          >
            {resource === 'curriculums' && <NewVersion id={id} />}
            <ActButtons resource={resource} item={item} />
          </PageHead>
          {resource === 'emissions' && item.status === 'Signed' && <SendPanel id={id} />}
          {resource === 'emissions' && item.status === 'SentToRegistry' && <RegisteredPanel id={id} />}
          {resource === 'registrations' && item.status === 'Approved' && <RegisterPanel id={id} />}
          <div className={classes.columns}>
            <div className={classes.column}>
              <ItemFacts resource={resource} item={item} />
              <SigningPanel ownerId={id} />
            </div>
            <div className={classes.column}>
              <FilesPanel resource={resource} item={item} />
              <TimelinePanel entityId={id} />
            </div>
          </div>
        </>
      )}
    </PageOfItem>
  )
}

/** A curriculum that begins with what this one says. */
function NewVersion({ id }: { id: string }) {
  const { t } = useTranslation('credentials-editor')
  return (
    <LinkButton
      to="/curriculums/new"
      search={{ from: id }}
      variant="default"
      leftSection={<CopyPlus size={16} aria-hidden="true" />}
    >
      {t('newVersion')}
    </LinkButton>
  )
}

function ItemFacts({ resource, item }: { resource: ItemResource; item: Item }) {
  const { t } = useTranslation(['credentials-items', 'credentials'])
  const { dateAndMinute } = useFormats()
  return (
    <Panel title={t(`kind.${resource}.one`)}>
      <Facts
        rows={[
          [t('student'), item.studentName],
          [t('socialName'), item.studentSocialName],
          ['CPF', item.studentCpf && formatTaxId(item.studentCpf)],
          [t('course'), item.course],
          [t('issuer'), item.issuingIes ?? item.iesName],
          [t('registrar'), item.registeringIes],
          [t('atRegistrar'), item.registrationStatus && <StatusChip key="at" status={item.registrationStatus} />],
          [t('transcriptError'), item.academicTranscriptCreationError],
          [t('type'), item.type && t(`types.${item.type}`)],
          [t('curriculumCode'), item.code],
          [t('verificationCode'), item.verificationCode ?? item.validationCode],
          [t('description'), item.description],
          [t('annulledFor'), item.cancellationReason && t(`reasons.${item.cancellationReason}`)],
          [t('version'), item.version],
          [t('credentials:created'), dateAndMinute(item.creationDate)],
          [t('credentials:updated'), dateAndMinute(item.updateDate)],
        ]}
      />
    </Panel>
  )
}
