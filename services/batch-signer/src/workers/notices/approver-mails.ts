import { randomUUID } from 'node:crypto'
import { layout, type Mail, type Mailer } from '@chancela/outbox/mail'
import { DAY, HOUR, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { isEmailAddress } from '@chancela/service-kernel/config'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Db } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../../context.ts'
import { type Approver, approverKey } from '../../rules/approval-rule.ts'
import {
  type ApproverMailKind,
  digestEnd,
  digestMoment,
  fileKindsOf,
  horizonOf,
  isMailDue,
} from '../../rules/approver-notice.ts'
import type { RemittanceSummary } from '../../rules/cnab240/remittance.ts'
import { memberOf } from '../../rules/frozen-approval.ts'
import { findApproval, findApprovals } from '../../store/approvals.ts'
import {
  dropDecided,
  EVERYBODY,
  filesOf,
  forgetOtherKinds,
  forgetTold,
  lastDigest,
  type PendingNotices,
  pendingNotices,
  putInto,
  rejectionsOf,
  type ToldFile,
  takeMail,
  undecidedFiles,
} from '../../store/approver-notices.ts'
import type { Tables } from '../../store/tables.ts'
import { type ApproverNotice, approverMail, type NamedFile } from './approver-texts.ts'

/** How often it is looked whether a mail is due. */
const INTERVAL = 5 * SECOND

/** Files that a mail names; of others it tells the number. */
const MOST_NAMED = 20

/** Longer than the mailer tries to send a mail. */
const KEPT = 3 * DAY

export interface ApproverMailParts {
  readonly mailer: Pick<Mailer, 'enqueue'>
}

/** What is in a mail: files in the order of their deadlines, of which only the first are named. */
interface Content {
  readonly kind: ApproverMailKind
  readonly count: number
  readonly files: readonly ToldFile[]
}

/**
 * Tells approvers by mail of files that wait for them, soon end, expired or were rejected: one mail to a person for all
 * that came together. What is told is marked in the transaction that writes the mail, so that of several instances one
 * writes it, and a kill loses none. Undefined where the settings name no kind.
 */
export async function approverMails(context: Context, parts: ApproverMailParts): Promise<Worker | undefined> {
  const { Kinds } = context.settings.Notifications.Approvals
  await forgetOtherKinds(context.store.db, fileKindsOf(Kinds))
  if (Kinds.length === 0) return undefined
  const mails = new ApproverMails(context, parts)
  return sweeper(context, { name: 'writing of mails to approvers', every: INTERVAL }, () => mails.look())
}

class ApproverMails {
  readonly #context: Context
  readonly #mailer: Pick<Mailer, 'enqueue'>
  readonly #languages: ReadonlyMap<string, InterfaceLanguage>
  #nextTidy = new Date(0)

  constructor(context: Context, { mailer }: ApproverMailParts) {
    this.#context = context
    this.#mailer = mailer
    this.#languages = new Map(
      context.settings.Notifications.Approvals.Languages.map(({ Email, Language }) => [approverKey(Email), Language]),
    )
  }

  /** Writes every mail that is due. */
  async look(): Promise<false> {
    const { Kinds } = this.#context.settings.Notifications.Approvals
    const now = this.#context.clock()
    for (const kind of fileKindsOf(Kinds))
      for (const pending of await pendingNotices(this.#context.store.db, kind, horizonOf(kind, now)))
        if (isMailDue(gathered(pending), this.#pace, now)) await this.#tell(pending, now)
    if (Kinds.includes('Digest')) await this.#tellDigest(now)
    await this.#tidy(now)
    return false
  }

  get #pace() {
    const { GatherSeconds, PauseMinutes } = this.#context.settings.Notifications.Approvals
    return { gather: GatherSeconds * SECOND, pause: PauseMinutes * MINUTE }
  }

  async #tell({ approver_key: key, kind }: PendingNotices, now: Date): Promise<void> {
    const id = randomUUID()
    const mailing = { key, kind, until: horizonOf(kind, now), now }
    await this.#context.store.transaction(async (tx) => {
      if (!(await dropDecided(tx, mailing))) return
      if (!(await takeMail(tx, { key, kind, at: now, before: plus(now, -this.#pace.pause) }))) return
      const count = await putInto(tx, id, mailing)
      const files = await filesOf(tx, id, MOST_NAMED)
      // Another instance was first.
      if (files.length === 0) return
      const member = await memberOfFile(tx, files[0]!.job_id, key)
      const mail = member && (await this.#mailTo(tx, member, { kind, count, files }))
      if (mail) await this.#mailer.enqueue(tx, [{ ...mail, about: id }], now)
    })
  }

  /** One for everybody in one transaction: a kill leaves either all of them or none. */
  async #tellDigest(now: Date): Promise<void> {
    const { settings, store } = this.#context
    const moment = digestMoment(settings.Site.TimeZone, settings.Notifications.Approvals.DigestHour, now)
    const last = await lastDigest(store.db)
    if (last && last >= moment) return
    await store.transaction(async (tx) => {
      if (!(await takeMail(tx, { key: EVERYBODY, kind: 'Digest', at: moment, before: plus(moment, -1) }))) return
      const mails = await this.#digests(tx, now)
      await this.#mailer.enqueue(
        tx,
        mails.map((mail) => ({ ...mail, deliverBy: digestEnd(moment) })),
        now,
      )
    })
  }

  async #digests(tx: Db<Tables>, now: Date): Promise<readonly Mail[]> {
    const byPerson = new Map<string, ToldFile[]>()
    for (const { approver_key: key, ...file } of await undecidedFiles(tx, now)) {
      const known = byPerson.get(key)
      if (known) known.push(file)
      else byPerson.set(key, [file])
    }
    const approvals = await findApprovals(tx, [...new Set([...byPerson.values()].map(([first]) => first!.job_id))])
    const mails: Mail[] = []
    for (const [key, files] of byPerson) {
      const member = memberOf(approvals.get(files[0]!.job_id)!.rule, key)
      const content = { kind: 'Digest', count: files.length, files: files.slice(0, MOST_NAMED) } as const
      const mail = member && (await this.#mailTo(tx, member, content))
      if (mail) mails.push(mail)
    }
    return mails
  }

  /** Undefined where nobody can be written to: an approval rule is less strict about addresses than SMTP. */
  async #mailTo(tx: Db<Tables>, { name, email }: Approver, content: Content): Promise<Mail | undefined> {
    const { settings, logger } = this.#context
    if (!isEmailAddress(email)) {
      logger.warn({ kind: content.kind }, 'an approver has an address that mail cannot be sent to')
      return undefined
    }
    const language = this.#languages.get(approverKey(email)) ?? settings.Notifications.Approvals.Language
    const text = layout(approverMail(language, await this.#notice(tx, content)), language)
    return { kind: `approval-${content.kind.toLowerCase()}`, to: { address: email, name }, ...text }
  }

  async #notice(tx: Db<Tables>, { kind, count, files }: Content): Promise<ApproverNotice> {
    const { settings } = this.#context
    const [first] = files
    return {
      kind,
      count,
      firstEnd: first?.expires_at ? new Date(first.expires_at) : undefined,
      named: settings.Notifications.Approvals.Details ? await this.#named(tx, kind, files) : [],
      timeZone: settings.Site.TimeZone,
      portalUrl: `${settings.Http.PublicUrl!.replace(/\/+$/, '')}/approvals`,
    }
  }

  async #named(tx: Db<Tables>, kind: ApproverMailKind, files: readonly ToldFile[]): Promise<readonly NamedFile[]> {
    const { Amounts } = this.#context.settings.Notifications.Approvals
    const rejections =
      kind === 'Rejected'
        ? await rejectionsOf(
            tx,
            files.map(({ job_id }) => job_id),
          )
        : []
    const byJob = new Map(rejections.map(({ job_id, name: by, reason }) => [job_id, { by, reason }]))
    return files.map(({ job_id, file_name, profile_name, expires_at, cnab240 }) => ({
      fileName: file_name,
      profileName: profile_name,
      expiresAt: expires_at === null ? undefined : new Date(expires_at),
      amount: Amounts && cnab240 !== null ? (JSON.parse(cnab240) as RemittanceSummary).totalFormatted : undefined,
      rejection: byJob.get(job_id),
    }))
  }

  async #tidy(now: Date): Promise<void> {
    if (now < this.#nextTidy) return
    this.#nextTidy = plus(now, HOUR)
    await forgetTold(this.#context.store.db, plus(now, -KEPT))
  }
}

const gathered = ({ kind, oldest, newest, last_at }: PendingNotices) => ({
  kind,
  oldest: new Date(oldest),
  newest: new Date(newest),
  lastAt: last_at === null ? undefined : new Date(last_at),
})

async function memberOfFile(tx: Db<Tables>, jobId: string, key: string): Promise<Approver | undefined> {
  const approval = await findApproval(tx, jobId)
  return approval && memberOf(approval.rule, key)
}
