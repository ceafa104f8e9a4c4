import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BellRing, Link2, Link2Off, UserPlus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { remind } from '../api/documents.ts'
import { meQuery } from '../api/session.ts'
import type { DocumentView, FlowActionView } from '../api/types.ts'
import { typeIcons } from '../new/action-card.tsx'
import { useRights } from '../parts/rights.ts'
import { ActionChip } from '../parts/status-chip.tsx'
import { AddParticipantDialog } from './add-participant-dialog.tsx'
import classes from './document.module.css'
import { LinkDialog } from './link-dialog.tsx'
import { RemoveParticipantDialog } from './remove-participant-dialog.tsx'
import { RevokeLinksDialog, type RevokeLinksDialogProps } from './revoke-links-dialog.tsx'

/** Who takes part, step by step, and what can be done for those who wait. */
export function FlowPanel({ document }: { document: DocumentView }) {
  const { t } = useTranslation('documents-document')
  const { may } = useRights()
  const [adding, setAdding] = useState(false)
  const steps = [...new Set(document.flowActions.map(({ step }) => step))].toSorted((one, other) => one - other)
  return (
    <Panel
      title={t('flow.title')}
      actions={
        <>
          {may('documents.act-for') && !document.isDeleted && <RevokeButton documentId={document.id} />}
          {document.permissions.editFlow && (
            <Button
              variant="default"
              size="xs"
              leftSection={<UserPlus size={14} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              {t('flow.add')}
            </Button>
          )}
        </>
      }
    >
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>
            {steps.length > 1 && <h3 className={classes.stepTitle}>{t('flow.step', { number: step })}</h3>}
            <ul className={classes.actions}>
              {document.flowActions
                .filter((action) => action.step === step)
                .map((action) => (
                  <Action key={action.id} document={document} action={action} />
                ))}
            </ul>
          </li>
        ))}
      </ol>
      {adding && <AddParticipantDialog document={document} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

/** The display name of an action. */
const nameOf = ({ user, ruleName, ruleUsers }: FlowActionView): string =>
  user?.name ?? ruleName ?? ruleUsers.map(({ name }) => name).join(', ')

function Action({ document, action }: { document: DocumentView; action: FlowActionView }) {
  const { t } = useTranslation(['documents-document', 'documents'])
  const { dateAndMinute } = useFormats()
  const Icon = typeIcons[action.type]
  const { status, refusalReason, updateDate, pendingDate } = action
  return (
    <li className={classes.action}>
      <div className={classes.actionHead}>
        <Icon size={18} aria-hidden="true" />
        <span className={classes.actionName}>
          {nameOf(action)}
          <span className={classes.quiet}>
            {[t(`documents:actionType.${action.type}`), action.title, action.isElectronic && t('flow.electronic')]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <ActionChip status={status} ended={document.status !== 'Pending'} />
      </div>
      {action.ruleUsers.length > 0 && <RuleUsers action={action} />}
      {document.status === 'Pending' && status === 'Pending' && pendingDate && (
        <p className={classes.quiet}>{t('flow.since', { date: dateAndMinute(pendingDate) })}</p>
      )}
      {(status === 'Completed' || status === 'Refused') && updateDate && (
        <p className={classes.quiet}>{t('flow.doneAt', { date: dateAndMinute(updateDate) })}</p>
      )}
      {refusalReason && <p>{t('flow.because', { reason: refusalReason })}</p>}
      {document.status === 'Pending' && !document.isDeleted && <ActionButtons document={document} action={action} />}
    </li>
  )
}

function RuleUsers({ action }: { action: FlowActionView }) {
  const { t } = useTranslation('documents-document')
  const { dateAndMinute } = useFormats()
  return (
    <>
      <p className={classes.quiet}>
        {t('flow.rule', { required: action.numberRequiredActions ?? 1, people: action.ruleUsers.length })}
      </p>
      <ul className={classes.ruleUsers}>
        {action.ruleUsers.map((person) => (
          <li key={person.id}>
            {person.name}
            {person.completeActionDate && ` · ${t('flow.doneAt', { date: dateAndMinute(person.completeActionDate) })}`}
            {person.refusalDate && ` · ${t('flow.refusedAt', { date: dateAndMinute(person.refusalDate) })}`}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Links are for each person; reminders and removal for the action. Each only for those who may. */
function ActionButtons({ document, action }: { document: DocumentView; action: FlowActionView }) {
  const { t } = useTranslation('documents-document')
  const { may, mayWith } = useRights()
  const { data: me } = useQuery(meQuery)
  const [link, setLink] = useState<{ name: string; identifier: string | null; email: string | null }>()
  const [removing, setRemoving] = useState(false)
  const { run, busy } = useAction(
    () => remind(document.id, action.id),
    () => t('flow.reminded'),
  )
  const people = action.user
    ? [action.user]
    : action.ruleUsers.filter((one) => !one.completeActionDate && !one.hasRefused)
  const name = nameOf(action)
  const untouched = action.status !== 'Completed' && action.ruleUsers.every((one) => !one.completeActionDate)
  return (
    <div className={classes.buttons}>
      {action.status === 'Pending' &&
        may('documents.act-for') &&
        people.map((person) => (
          <Button
            key={person.id}
            variant="default"
            size="xs"
            aria-label={t('flow.getLinkOf', { name: person.name })}
            leftSection={<Link2 size={14} aria-hidden="true" />}
            onClick={() => setLink(person)}
          >
            {action.user ? t('flow.getLink') : person.name}
          </Button>
        ))}
      {action.status === 'Pending' && me?.emailEnabled && mayWith('documents.change', document.createdBy) && (
        <Button
          variant="default"
          size="xs"
          loading={busy}
          aria-label={t('flow.remindOf', { name })}
          leftSection={<BellRing size={14} aria-hidden="true" />}
          onClick={() => void run(undefined)}
        >
          {t('flow.remind')}
        </Button>
      )}
      {action.status === 'Pending' && may('documents.act-for') && (
        <RevokeButton documentId={document.id} action={{ id: action.id, name }} />
      )}
      {document.permissions.editFlow && untouched && document.flowActions.length > 1 && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('flow.removeOf', { name })}
          leftSection={<X size={14} aria-hidden="true" />}
          onClick={() => setRemoving(true)}
        >
          {t('flow.remove')}
        </Button>
      )}
      {link && (
        <LinkDialog
          documentId={document.id}
          flowActionId={action.id}
          person={link}
          onClose={() => setLink(undefined)}
        />
      )}
      {removing && (
        <RemoveParticipantDialog
          documentId={document.id}
          flowActionId={action.id}
          name={name}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}

/** Ends the links of an action, or all of the document. */
function RevokeButton({ documentId, action }: Omit<RevokeLinksDialogProps, 'onClose'>) {
  const { t } = useTranslation('documents-document')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant={action ? 'subtle' : 'default'}
        size="xs"
        {...(action && { 'aria-label': t('flow.revokeTitle', { name: action.name }) })}
        leftSection={<Link2Off size={14} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {action ? t('flow.revoke') : t('flow.revokeAll')}
      </Button>
      {open && <RevokeLinksDialog documentId={documentId} action={action} onClose={() => setOpen(false)} />}
    </>
  )
}
