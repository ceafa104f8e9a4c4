import type { Composition, Mailer } from '@chancela/outbox/mail'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { Profiles } from '../../parts/signing/open-profile-directory.ts'
import type { Hold, HoldChange } from '../../parts/signing/profile-holds.ts'
import { daysLeft, noticeDue } from '../../rules/certificate-expiry.ts'
import { rememberNotice } from '../../store/certificate-notices.ts'
import { queuedByProfile } from '../../store/held-jobs.ts'
import { mailNotice } from './notice-mails.ts'
import { type Expiring, noticeTexts } from './notice-texts.ts'

export interface NoticeParts {
  readonly profiles: Pick<Profiles, 'list' | 'certificate' | 'holds' | 'onChange'>
  readonly mailer: Pick<Mailer, 'enqueue'>
  readonly metrics: Pick<BatchMetrics, 'bulk_profile_certificate_not_after_timestamp_seconds'>
}

/** How often holds and certificates are looked at. */
const INTERVAL = 15 * SECOND

/** Tells operators by mail of profiles that stay held, and of certificates that expire soon. */
export class Notices {
  readonly #context: Context
  readonly #parts: NoticeParts
  /** Holds that were told by mail, by profile. */
  readonly #told = new Map<string, Hold>()
  #stopListening: readonly (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(context: Context, parts: NoticeParts) {
    this.#context = context
    this.#parts = parts
  }

  start(): void {
    const { profiles } = this.#parts
    this.#measure()
    this.#stopListening = [
      profiles.holds.listen((change) => this.#changed(change)),
      profiles.onChange(() => {
        this.#measure()
        void this.look()
      }),
    ]
    this.#timer = setInterval(() => void this.look(), INTERVAL)
    this.#timer.unref()
    void this.look()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    for (const stop of this.#stopListening) stop()
    await this.#turn
  }

  /** Looks at holds and certificates now; resolves when every notice due is written. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#tellExpiring()
      await this.#tellHeld()
    })
  }

  #changed({ kind, hold }: HoldChange): void {
    if (kind === 'ended' && this.#told.delete(hold.profile)) void this.#inTurn(() => this.#mailResumed(hold))
  }

  /** A short outage is in the event log only. */
  async #tellHeld(): Promise<void> {
    const { settings, clock } = this.#context
    const late = plus(clock(), -settings.Notices.HeldMinutes * MINUTE)
    const due = this.#parts.profiles.holds
      .list()
      .filter(({ profile, reason, since }) => since <= late && this.#told.get(profile)?.reason !== reason)
    if (due.length === 0) return
    const queued = await queuedByProfile(this.#context.store.db)
    for (const hold of due) {
      const waiting = queued.get(hold.profile) ?? 0
      // A profile that was never given a key disturbs nobody until a file comes.
      if (hold.reason === 'key-missing' && waiting === 0) continue
      const content = this.#texts.held(hold, waiting)
      await this.#mail('profile-held', content)
      this.#told.set(hold.profile, hold)
    }
  }

  #mailResumed(hold: Hold): Promise<void> {
    return this.#mail('profile-resumed', this.#texts.resumed(hold))
  }

  async #mail(kind: string, content: Composition): Promise<void> {
    const { store, settings, clock } = this.#context
    await store.transaction((tx) =>
      mailNotice(this.#parts.mailer, tx, settings.Notices, { kind, content, now: clock() }),
    )
  }

  async #tellExpiring(): Promise<void> {
    const { settings, clock } = this.#context
    const { profiles } = this.#parts
    for (const { name, enabled } of profiles.list()) {
      const certificate = profiles.certificate(name)
      if (!enabled || !certificate) continue
      const notAfter = new Date(certificate.notAfter)
      const notice = noticeDue(notAfter, settings.Notices.CertificateExpiryDays, clock())
      const days = daysLeft(notAfter, clock())
      if (notice === undefined) continue
      const { holder, thumbprint } = certificate
      await this.#tellOnce({ profile: name, holder, notAfter, days }, { thumbprint, notice })
    }
  }

  /** Remembered with the event and the mail in one transaction: each notice is given once, whoever restarts. */
  async #tellOnce(certificate: Expiring, key: { thumbprint: string; notice: number }): Promise<void> {
    const { store, settings, clock, events } = this.#context
    const { profile, notAfter, days, holder } = certificate
    const now = clock()
    await store.transaction(async (tx) => {
      if (!(await rememberNotice(tx, { profile, ...key, now }))) return
      await events.record(tx, {
        type: 'CertificateExpiring',
        actor: 'service',
        subject: { kind: 'profile', id: profile },
        text: `The certificate of the profile ${profile} (${holder}) expires on ${notAfter.toISOString()}.`,
        data: { profile, days, notAfter: notAfter.toISOString() },
      })
      const content = this.#texts.expiring(certificate)
      await mailNotice(this.#parts.mailer, tx, settings.Notices, { kind: 'certificate-expiring', content, now })
    })
  }

  get #texts() {
    return noticeTexts[this.#context.settings.Notices.Language]
  }

  #measure(): void {
    const { profiles, metrics } = this.#parts
    for (const { name } of profiles.list())
      metrics.bulk_profile_certificate_not_after_timestamp_seconds.measure({ profile: name }, () => {
        const certificate = profiles.certificate(name)
        return certificate ? Date.parse(certificate.notAfter) / 1000 : Number.NaN
      })
  }

  /** One look at a time. A store that fails now is asked again at the next. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn
      .then(work)
      .catch((error: unknown) => this.#context.logger.error({ err: error }, 'notices could not be written'))
    return this.#turn
  }
}
