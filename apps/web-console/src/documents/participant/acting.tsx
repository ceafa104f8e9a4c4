import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Access } from '../api/participant.ts'
import type { ParticipantAction } from '../api/types.ts'
import { kinds } from '../new/flow-draft.ts'
import { ActionChip } from '../parts/status-chip.tsx'
import { ApprovePanel } from './approve-panel.tsx'
import { localAddress } from './local-address.ts'
import { MarkPanel } from './mark-panel.tsx'
import type { PageOptions } from './page-options.ts'
import classes from './participant.module.css'
import type { Outcome } from './post-to-parent.ts'
import { ReadingPanel } from './reading-panel.tsx'
import { RefuseButton } from './refuse-button.tsx'
import { SignPanel } from './sign-panel.tsx'
import { useOwnMark } from './use-own-mark.ts'

export interface ActingProps {
  data: ParticipantAction
  access: Access
  options: PageOptions
  onEnd: (outcome: Outcome) => void
  /** Called when the participant continues in another window. */
  onElsewhere: () => void
}

/** The document on one side, what is asked on the other. */
export function Acting({ data, access, options, onEnd, onElsewhere }: ActingProps) {
  const { t } = useTranslation('documents-participant')
  const { dateAndMinute } = useFormats()
  const { document, action } = data
  const { signs } = kinds[action.type]
  const [front, setFront] = useState<Parameters<typeof useOwnMark>[0]>()
  const own = useOwnMark(front)
  const shows = document.mimeType === 'application/pdf' && options.preview !== true
  const { createdBy, organization } = document
  return (
    <>
      <header className={classes.head}>
        <h1 className={classes.title}>{document.name}</h1>
        <p className={classes.asked}>{t(`asked.${action.type}`, { name: action.participant.name })}</p>
        <p className={classes.quiet}>
          {organization && organization !== createdBy
            ? t('sentByOf', { name: createdBy, organization })
            : t('sentBy', { name: createdBy })}
          {action.title && ` · ${t('capacity', { title: action.title })}`}
          {document.expirationDate && ` · ${t('until', { date: dateAndMinute(document.expirationDate) })}`}
          {action.ticketExpirationDate && ` · ${t('linkUntil', { date: dateAndMinute(action.ticketExpirationDate) })}`}
        </p>
        {document.description && <p className={classes.message}>{document.description}</p>}
      </header>
      <div className={classes.columns} data-alone={!shows || undefined}>
        {shows && <ReadingPanel data={data} options={options} own={own} onPage={setFront} />}
        <div className={classes.side}>
          {signs && shows && (action.canPlaceMark || action.marks.length > 0) && (
            <MarkPanel isFixed={!action.canPlaceMark} own={own} page={front?.page ?? 1} />
          )}
          {signs ? (
            <SignPanel
              data={data}
              access={access}
              mark={own.position}
              options={options}
              onSigned={() => onEnd('documentSigned')}
              onElsewhere={onElsewhere}
            />
          ) : (
            <ApprovePanel data={data} access={access} onApproved={() => onEnd('documentApproved')} />
          )}
          {options.refusal !== true && (
            <RefuseButton
              access={access}
              requiresCode={action.refusalRequiresEmailCode}
              onRefused={() => onEnd('documentRefused')}
            />
          )}
          <Others data={data} />
          {!shows && <a href={localAddress(data.contentLocation)}>{t('download')}</a>}
        </div>
      </div>
    </>
  )
}

/** The other participants, and the attachments. */
function Others({ data: { participants, attachments } }: { data: ParticipantAction }) {
  const { t } = useTranslation('documents-participant')
  return (
    <>
      <Panel title={t('others')}>
        <ul className={classes.others}>
          {participants.map(({ name, step, status }) => (
            <li key={`${step} ${name}`} className={classes.other}>
              <span>{name}</span> <ActionChip status={status} />
            </li>
          ))}
        </ul>
      </Panel>
      {attachments.length > 0 && (
        <Panel title={t('attachments')}>
          <ul className={classes.others}>
            {attachments.map(({ id, displayName, location }) => (
              <li key={id}>
                <a href={localAddress(location)} download={displayName} className={classes.attachment}>
                  <Paperclip size={16} aria-hidden="true" /> {displayName}
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
