// Files that wait for people, the worker that writes mails about them, and a real SMTP server.
import { randomBytes } from 'node:crypto'
import { createMailer, type Mailer } from '@chancela/outbox/mail'
import { createLogger } from '@chancela/service-kernel/http'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { testClock } from '@chancela/testkit/clock'
import { startSmtpServer } from '@chancela/testkit/mail'
import { settingsOf } from '@chancela/testkit/service-world'
import { onTestFinished } from 'vitest'
import type { Context } from '../../src/context.ts'
import { approverNotices } from '../../src/parts/approvals/approver-notices.ts'
import { type ApprovalRule, type Approver, approverKey } from '../../src/rules/approval-rule.ts'
import type { Decision } from '../../src/rules/frozen-approval.ts'
import { type BatchSignerSettings, batchSignerSettings } from '../../src/settings.ts'
import { insertDecision } from '../../src/store/approvals.ts'
import { isMailMoot } from '../../src/store/approver-notices.ts'
import { ledgerOn, newJob, type OpenStore, openBatchStore } from '../../src/test-support/ledger-world.ts'
import { approverMails } from '../../src/workers/notices/approver-mails.ts'
import { joao, maria, ruleOf } from './approvers.ts'

/** Noon at the site. */
const NOON = '2026-11-18T15:00:00.000Z'

export const PORTAL = 'https://sign.bank.example/approvals'

type Approvals = BatchSignerSettings['Notifications']['Approvals']

type Section = Readonly<Record<string, unknown>>

export async function approverMailWorld(open: OpenStore, approvals: Section = {}) {
  const store = await openBatchStore(open)
  const clock = testClock(NOON)
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const settings = settingsOf({ name: 'batch-signer', settings: batchSignerSettings }, store, {
    Http: { Port: 0, PublicUrl: 'https://sign.bank.example/' },
    Notifications: { Approvals: { Kinds: ['Waiting'], Language: 'en-US', ...approvals } },
    Email: { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'batch@bank.example' },
  }) as BatchSignerSettings
  const lines: string[] = []
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } })
  const secrets = openSecrets({
    service: 'test',
    masterKeyFile: '',
    masterKey: randomBytes(32).toString('base64'),
  })
  const ledger = ledgerOn(store, { tell: approverNotices(settings) })
  // What the worker reads of a context.
  const context = { store, clock, settings, logger, secrets, ledger } as unknown as Context
  const isMoot = (about: string) => isMailMoot(store.db, about, clock())
  const mailer = createMailer({ store, clock, secrets, logger, dataFolder: '/', settings: settings.Email, isMoot })
  mailer.start()
  onTestFinished(() => mailer.stop({ drainSeconds: 0 }))

  /** Another process that writes mails, perhaps with other settings. */
  const instance = async (over: Partial<Approvals> = {}, through: Pick<Mailer, 'enqueue'> = mailer) => {
    const Notifications = { Approvals: { ...settings.Notifications.Approvals, ...over } }
    const given = { ...context, settings: { ...settings, Notifications } }
    const worker = (await approverMails(given, { mailer: through }))!
    worker.start()
    onTestFinished(() => worker.stop())
    await worker.wake()
    return worker
  }
  const sent = async () => {
    await mailer.idle()
    return smtp.inbox.map(({ subject, envelope }) => `${envelope.to[0]}: ${subject}`).toSorted()
  }
  const park = (count: number, rule: Partial<ApprovalRule> = {}, more: { cnab240?: string } = {}) =>
    parked(context, count, ruleOf([maria, joao], { minimumApprovers: 2, ...rule }), more)
  const decide = (jobId: string, who: Approver, decision: Decision = 'approved', reason: string | null = null) =>
    decided(context, jobId, { who, decision, reason })
  const expire = (jobId: string) =>
    ledger.deciding((_, moves) => moves.expire(jobId, clock().toISOString(), 'It expired.'))
  const notices = () => store.db.selectFrom('approver_notice').selectAll().execute()
  return { store, clock, smtp, mailer, instance, sent, park, decide, expire, notices, log: () => lines.join('') }
}

async function parked({ ledger, clock }: Context, count: number, rule: ApprovalRule, more: { cnab240?: string }) {
  const jobs = Array.from({ length: count }, () => newJob({ profileName: 'payments' }))
  await Promise.all(jobs.map((job) => ledger.enqueue(job, clock())))
  await ledger.claim(count, clock())
  await Promise.all(
    jobs.map(({ id, fileName, profileName }) =>
      ledger.parked(
        id,
        {
          sha256: 'ab'.repeat(32),
          length: 4,
          rule,
          stagedName: fileName,
          fileName,
          profileName,
          message: 'Parked.',
          ...more,
        },
        clock(),
      ),
    ),
  )
  return jobs
}

const decided = (
  { ledger, clock }: Context,
  jobId: string,
  { who, decision, reason }: { readonly who: Approver; readonly decision: Decision; readonly reason: string | null },
) =>
  ledger.deciding(async (tx, moves) => {
    const at = clock().toISOString()
    await insertDecision(tx, {
      job_id: jobId,
      approver_key: approverKey(who.email),
      name: who.name,
      cpf: who.cpf,
      decision,
      reason,
      method: 'LinkDerivedEmail',
      content_sha256: 'ab'.repeat(32),
      decided_at: at,
      ip_address: null,
      user_agent: null,
      second_factor_at: null,
      certificate: null,
    })
    moves.decided({ jobId, at, decision, approverKey: approverKey(who.email), approverName: who.name })
  })
