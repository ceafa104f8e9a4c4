import type { Mail, Mailer } from '@chancela/outbox/mail'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { isEmailAddress } from '@chancela/service-kernel/config'
import type { Transaction } from 'kysely'
import { addressesOf } from '../../actions/documents/action-url.ts'
import type { Context } from '../../context.ts'
import { CODE_MINUTES } from '../../rules/authentication-code.ts'
import type { ActionOptions } from '../../rules/flow-plan.ts'
import { RESET_MINUTES } from '../../rules/password-reset.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow, Tables } from '../../store/tables.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Deadline, MailData, MailKind, NotificationLanguage } from './mail-data.ts'
import { mailText } from './mail-text.ts'
import type { Notices } from './notices.ts'

type Tx = Transaction<Tables>

interface MailContext extends Pick<Context, 'publicUrl' | 'settings'> {
  readonly tickets: Tickets
  readonly mailer: Mailer
}

/** A recipient. */
interface Reader {
  readonly email: string
  readonly name?: string | undefined
  readonly language: NotificationLanguage
}

/** Data common to all mails about a document. */
interface About {
  readonly organization: string
  readonly documents: readonly string[]
  readonly deadline: Deadline | undefined
}

const languageIn = ({ action }: FlowStep): NotificationLanguage =>
  (JSON.parse(action.options) as ActionOptions).notificationLanguage ?? 'Pt'

/** Tells people by e-mail, each in the language the flow names for them. */
export function mailNotices(context: MailContext): Notices {
  const { mailer, tickets, publicUrl } = context

  const send = <Kind extends MailKind>(
    tx: Tx,
    kind: Kind,
    readers: readonly Reader[],
    data: (reader: Reader) => MailData[Kind],
    now: Date,
    deliverBy?: Date,
  ): Promise<void> => {
    const mails = unique(readers).map((reader): Mail => {
      const to = { address: reader.email, ...(reader.name !== undefined && { name: reader.name }) }
      return { kind, to, ...mailText(kind, data(reader), reader.language), ...(deliverBy && { deliverBy }) }
    })
    return mails.length === 0 ? Promise.resolve() : mailer.enqueue(tx, mails, now)
  }

  const request = (about: About, document: DocumentRow, step: FlowStep, participant: ParticipantRow) => ({
    ...about,
    name: participant.name,
    action: actionKinds[step.action.type].signs ? ('sign' as const) : ('approve' as const),
    sender: document.created_by_name,
    description: document.description ?? undefined,
    actionUrl: addressesOf(context, document, participant).url,
    validHours: Math.max(1, Math.floor(context.settings.Documents.FlowActionTicketValidityMinutes / 60)),
  })

  const ask = async (
    tx: Tx,
    kind: 'pending-action' | 'reminder',
    document: DocumentRow,
    steps: readonly FlowStep[],
    now: Date,
  ) => {
    if (document.disable_notifications === 1) return
    const about = await aboutDocument(tx, document)
    for (const step of steps)
      for (const participant of step.participants.filter(isOpen))
        await send(tx, kind, readersOf(step, [participant]), () => request(about, document, step, participant), now)
  }

  /** Everybody related to a document: its creator, its observers, its participants who were asked to act. */
  const around = async (tx: Tx, document: DocumentRow): Promise<readonly Reader[]> => {
    const steps = await flowOf(tx, document.id)
    const asked = steps.filter(({ action }) => action.status !== 'Created')
    return [
      ...(await creatorOf(tx, document)),
      ...(await observersOf(tx, document)),
      ...asked.flatMap((step) => readersOf(step, step.participants)),
    ]
  }

  const documentUrl = ({ id }: DocumentRow): string => `${publicUrl}/documents/${id}`

  return {
    enabled: true,
    pending: (tx, document, steps, now) => ask(tx, 'pending-action', document, steps, now),
    reminder: (tx, document, step, now) => ask(tx, 'reminder', document, [step], now),
    async refused(tx, document, refusedBy, reason, now) {
      if (document.disable_notifications === 1) return
      const about = await aboutDocument(tx, document)
      await send(tx, 'refused', await around(tx, document), ({ name }) => ({ ...about, name, refusedBy, reason }), now)
    },
    async concluded(tx, document, now) {
      const about = await aboutDocument(tx, document)
      const minutes = context.settings.Documents.FlowActionTicketValidityMinutes
      const { id: documentId, revocations } = document
      const ticket = tickets.make('content', { documentId, type: 'Signatures', revocations }, minutes)
      const links = {
        key: document.key,
        validationUrl: `${publicUrl}/validate/${document.key}`,
        downloadUrl: `${publicUrl}/api/documents/content?access_ticket=${encodeURIComponent(ticket)}`,
      }
      const notified = (JSON.parse(document.notified_emails) as string[]).map((email) => ({
        email,
        language: 'Pt' as const,
      }))
      const readers = [...(await around(tx, document)), ...notified]
      await send(tx, 'concluded', readers, ({ name }) => ({ ...about, ...links, name }), now)
    },
    async canceled(tx, document, reason, now) {
      if (document.disable_notifications === 1) return
      const about = await aboutDocument(tx, document)
      const canceledBy = document.status_by_name ?? document.created_by_name
      await send(
        tx,
        'canceled',
        await around(tx, document),
        ({ name }) => ({ ...about, name, canceledBy, reason }),
        now,
      )
    },
    async expired(tx, document, now) {
      if (document.disable_notifications === 1) return
      const { deadline, ...about } = await aboutDocument(tx, document)
      const data = ({ name }: Reader) => ({ ...about, name, deadline: deadline!, documentUrl: documentUrl(document) })
      const readers = [...(await creatorOf(tx, document)), ...(await observersOf(tx, document))]
      await send(tx, 'expired', readers, data, now)
    },
    async code(tx, document, step, participant, code, now) {
      const about = await aboutDocument(tx, document)
      const data = () => ({ ...about, name: participant.name, code, validMinutes: CODE_MINUTES })
      const until = plus(now, CODE_MINUTES * MINUTE)
      await send(tx, 'authentication-code', readersOf(step, [participant]), data, now, until)
    },
    async summary(tx, organizationId, email, now) {
      const waiting = await pendingOf(tx, organizationId, email)
      if (waiting.length === 0) return
      const pending = await Promise.all(
        waiting.map(async ({ document, step, participant }) => {
          const { organization, deadline } = await aboutDocument(tx, document)
          const { action, actionUrl } = request(
            { organization, documents: [document.name], deadline },
            document,
            step,
            participant,
          )
          return { action, document: document.name, organization, deadline, actionUrl }
        }),
      )
      const [{ step, participant }] = waiting as [(typeof waiting)[number]]
      await send(tx, 'pending-summary', readersOf(step, [participant]), ({ name }) => ({ name, pending }), now)
    },
    async invitation(tx, organization, { id, name, email }, now) {
      if (email === null) return
      const validHours = context.settings.Auth.InvitationHours
      const allowed = { organizationId: organization.id, contactId: id, email }
      const ticket = tickets.make('invitation', allowed, validHours * 60)
      const invitationUrl = `${publicUrl}/invitation?ticket=${encodeURIComponent(ticket)}`
      const data = () => ({ name, organization: organization.name, invitationUrl, validHours })
      await send(tx, 'invitation', reader(email, name, 'Pt'), data, now)
    },
    async passwordReset(tx, { id, name, email, language }, stamp, now) {
      const ticket = tickets.make('passwordReset', { accountId: id, stamp }, RESET_MINUTES)
      const resetUrl = `${publicUrl}/reset-password?ticket=${encodeURIComponent(ticket)}`
      const to = reader(email, name, (language as NotificationLanguage | null) ?? 'Pt')
      const data = () => ({ name, resetUrl, validMinutes: RESET_MINUTES })
      await send(tx, 'password-reset', to, data, now, plus(now, RESET_MINUTES * MINUTE))
    },
    async webhookDisabled(tx, organizationId, endpointUrl, reason, now) {
      const administrators = await tx
        .selectFrom('member as m')
        .innerJoin('contact as p', (join) =>
          join.onRef('p.organization_id', '=', 'm.organization_id').onRef('p.id', '=', 'm.person_id'),
        )
        .innerJoin('organization as o', 'o.id', 'm.organization_id')
        .select(['p.email', 'p.name', 'o.name as organization'])
        .where('m.organization_id', '=', organizationId)
        .where('m.administrator', '=', 1)
        .execute()
      const [first] = administrators
      if (!first) return
      const readers = administrators.flatMap(({ email, name }) => reader(email, name, 'Pt'))
      const settingsUrl = `${publicUrl}/webhooks`
      const data = ({ name }: Reader) => ({ name, organization: first.organization, endpointUrl, reason, settingsUrl })
      await send(tx, 'webhook-disabled', readers, data, now)
    },
  }
}

const isOpen = ({ completed_at, refused_at }: ParticipantRow): boolean => completed_at === null && refused_at === null

const reader = (email: string | null, name: string | undefined, language: NotificationLanguage): readonly Reader[] =>
  email !== null && isEmailAddress(email) ? [{ email, name, language }] : []

const readersOf = (step: FlowStep, participants: readonly ParticipantRow[]): readonly Reader[] =>
  participants.flatMap(({ email, name }) => reader(email, name, languageIn(step)))

/** One mail for each address, also when a person has several roles. */
const unique = (readers: readonly Reader[]): readonly Reader[] => [
  ...new Map(readers.toReversed().map((each) => [each.email, each])).values(),
]

async function aboutDocument(tx: Tx, document: DocumentRow): Promise<About> {
  const { name, time_zone } = await tx
    .selectFrom('organization')
    .select(['name', 'time_zone'])
    .where('id', '=', document.organization_id)
    .executeTakeFirstOrThrow()
  const deadline = document.expires_at === null ? undefined : { at: new Date(document.expires_at), timeZone: time_zone }
  return { organization: name, documents: [document.name], deadline }
}

/** An application has no mailbox. */
async function creatorOf(
  tx: Tx,
  { organization_id, created_by_id, created_by_type }: DocumentRow,
): Promise<readonly Reader[]> {
  if (created_by_type !== 'User') return []
  const user = await tx
    .selectFrom('contact as c')
    .leftJoin('member as m', (join) =>
      join.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.person_id', '=', 'c.id'),
    )
    .leftJoin('account as a', 'a.id', 'm.account_id')
    .select(['c.name', 'c.email', 'a.language'])
    .where('c.organization_id', '=', organization_id)
    .where('c.id', '=', created_by_id)
    .executeTakeFirst()
  return user ? reader(user.email, user.name, (user.language as NotificationLanguage | null) ?? 'Pt') : []
}

async function observersOf(tx: Tx, { id }: DocumentRow): Promise<readonly Reader[]> {
  const observers = await tx.selectFrom('observer').selectAll().where('document_id', '=', id).execute()
  return observers.flatMap(({ email, name, language }) =>
    reader(email, name, (language as NotificationLanguage | null) ?? 'Pt'),
  )
}

/** Most actions listed in one summary mail. */
const MOST_SUMMED_UP = 50

async function pendingOf(tx: Tx, organizationId: string, email: string) {
  const found = await tx
    .selectFrom('participant as p')
    .innerJoin('flow_action as a', 'a.id', 'p.action_id')
    .innerJoin('document as d', 'd.id', 'p.document_id')
    .selectAll('d')
    .select(['p.id as participant_id'])
    .where('p.organization_id', '=', organizationId)
    .where('p.email', '=', email)
    .where('p.completed_at', 'is', null)
    .where('p.refused_at', 'is', null)
    .where('a.status', '=', 'Pending')
    .where('d.status', '=', 'Pending')
    .where('d.deleted_at', 'is', null)
    .orderBy('d.created_at')
    .limit(MOST_SUMMED_UP)
    .execute()
  const pending: { document: DocumentRow; step: FlowStep; participant: ParticipantRow }[] = []
  for (const { participant_id, ...document } of found) {
    const step = (await flowOf(tx, document.id)).find(({ participants }) =>
      participants.some(({ id }) => id === participant_id),
    )!
    pending.push({ document, step, participant: step.participants.find(({ id }) => id === participant_id)! })
  }
  return pending
}
