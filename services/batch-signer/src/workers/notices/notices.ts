import type { Mailer } from '@chancela/outbox/mail'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { HoldChange } from '../../parts/holds.ts'
import type { Profiles } from '../../parts/signing/open-profile-directory.ts'
import { daysLeft, noticeDue } from '../../rules/certificate-expiry.ts'
import { said, telling } from '../../rules/sentences.ts'
import { rememberNotice } from '../../store/certificate-notices.ts'
import { queuedByFolder, queuedByProfile } from '../../store/held-jobs.ts'
import { HoldMails } from './hold-mails.ts'
import { mailNotice } from './notice-mails.ts'
import { type Expiring, type HeldReason, noticeTexts } from './notice-texts.ts'

export interface NoticeParts {
  readonly profiles: Pick<Profiles, 'list' | 'byFolder' | 'certificate' | 'holds' | 'onChange'>
  readonly watched: Pick<FolderDirectory, 'get' | 'list'>
  readonly folderHolds: FolderHolds
  readonly mailer: Pick<Mailer, 'enqueue'>
  readonly metrics: Pick<BatchMetrics, 'bulk_profile_certificate_not_after_timestamp_seconds'>
}

/** How often holds and certificates are looked at. */
const INTERVAL = 15 * SECOND

/** Tells operators by mail of profiles and folders that stay held, and of certificates that expire soon. */
export class Notices {
  readonly #context: Context
  readonly #parts: NoticeParts
  readonly #held: { readonly profiles: HoldMails; readonly folders: HoldMails }
  #stopListening: readonly (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(context: Context, parts: NoticeParts) {
    this.#context = context
    this.#parts = parts
    const { profiles, watched, folderHolds, mailer } = parts
    this.#held = {
      profiles: new HoldMails(context, {
        what: 'profile',
        holds: profiles.holds,
        mailer,
        queued: () => queuedByProfile(context.store.db),
        // A profile that was never given a key disturbs nobody until a file comes.
        isQuiet: ({ reason }, waiting) => reason === 'key-missing' && waiting === 0,
      }),
      folders: new HoldMails(context, {
        what: 'folder',
        holds: folderHolds,
        mailer,
        queued: (names) => queuedByFolder(context.store.db, names),
        // The hold of a folder that was removed ends, too; it does not go on.
        isKnown: (name) => watched.get(name) !== undefined,
      }),
    }
  }

  start(): void {
    const { profiles, folderHolds } = this.#parts
    this.#measure()
    this.#stopListening = [
      profiles.holds.listen((change) => this.#changed(this.#held.profiles, change)),
      folderHolds.listen((change) => this.#changed(this.#held.folders, change)),
      profiles.onChange(() => {
        this.#measure()
        void this.look()
      }),
    ]
    this.#heartbeat = this.#context.heartbeats.expect('notices of profiles and folders', INTERVAL)
    this.#timer = setInterval(() => void this.look(), INTERVAL)
    this.#timer.unref()
    void this.look()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    for (const stop of this.#stopListening) stop()
    await this.#turn
  }

  /** Looks at holds and certificates now; resolves when every notice due is written. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#tellExpiring()
      await this.#held.profiles.tellHeld()
      await this.#lookAtFolders()
      await this.#held.folders.tellHeld()
      this.#heartbeat?.beat()
    })
  }

  /** From a share that is gone no file comes, and perhaps nobody asks for readiness. */
  async #lookAtFolders(): Promise<void> {
    const { watched, profiles, folderHolds } = this.#parts
    for (const { folder, paused, problem } of watched.list())
      if (!paused && problem === null && profiles.byFolder(folder.name)) await folderHolds.lookAtInput(folder.name)
  }

  #changed(mails: HoldMails, change: HoldChange<HeldReason>): void {
    if (mails.isEndDue(change)) void this.#inTurn(() => mails.tellEnded(change.hold))
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
    const { profile, days, holder } = certificate
    const ends = certificate.notAfter.toISOString()
    const now = clock()
    await store.transaction(async (tx) => {
      if (!(await rememberNotice(tx, { profile, ...key, now }))) return
      await events.record(tx, {
        type: 'CertificateExpiring',
        actor: 'service',
        subject: { kind: 'profile', id: profile },
        ...telling(said('certificate-expiring', { profile, holder, notAfter: ends }), {
          profile,
          days,
          notAfter: ends,
        }),
      })
      const content = noticeTexts[settings.Notices.Language].expiring(certificate)
      await mailNotice(this.#parts.mailer, tx, settings.Notices, { kind: 'certificate-expiring', content, now })
    })
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
