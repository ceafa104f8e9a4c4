import { join, resolve } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import type { Bilingual } from '@chancela/service-kernel/i18n'
import { guardedExchange, openTrust, type Trust } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import type { CertificateVerdict } from '@chancela/signature-engine/judgement'
import type { Context } from '../../context.ts'
import type { CertificateStatus } from '../../contract/common.ts'
import { chainText, type StoredCertificate, storedCertificate } from '../../rules/certificate-record.ts'
import { type Judgement, judgementOf, ofHolder, statusNow, verdictAfter } from '../../rules/certificate-verdict.ts'
import { type HeldRow, heldCertificate, type Verdict, writeVerdict } from '../../store/certificate-rows.ts'
import type { CertificateRow } from '../../store/tables.ts'
import { act, said } from '../console/audit.ts'

/** Wakes the worker that validates certificates; notified when this or another process added one. */
export const CERTIFICATES_CHANNEL = 'certificates'

/** The held certificates and their validation. */
export class Certificates {
  readonly #context: Pick<Context, 'store' | 'events' | 'settings' | 'logger'>
  readonly #trust: Trust

  constructor(context: Pick<Context, 'store' | 'events' | 'settings' | 'logger'>, trust: Trust) {
    this.#context = context
    this.#trust = trust
  }

  /** The status as it is enforced now. */
  statusOf(row: Pick<CertificateRow, 'status' | 'good_at' | 'not_after'>, now: Date): CertificateStatus {
    return statusNow(row, now, this.#staleAfter)
  }

  /** Validates the certificate with this id now and returns its row; undefined when it is not held. */
  async recheck(id: string, now: Date): Promise<HeldRow | undefined> {
    const row = await heldCertificate(this.#context.store.db, id)
    return row && this.judge(row, now)
  }

  /** Validates a certificate, writes the verdict and returns the new row; a changed status is recorded as an event. */
  async judge(row: HeldRow, now: Date): Promise<HeldRow> {
    const stored = storedCertificate(row)
    const { judgement, path } = stored ? await this.#judgement(stored, now) : dataLost
    // Fetched issuers are stored, so that their servers may be unreachable next time.
    const chain = stored && path.length > stored.chain.length ? chainText(path) : row.chain
    for (;;) {
      // Authorities may answer slowly, and the certificate may be validated concurrently: the later check wins.
      const known = await heldCertificate(this.#context.store.db, row.id)
      if (!known) return row
      if (known.checked_at !== row.checked_at && !isBefore(known.checked_at, now)) return known
      const verdict = { ...verdictAfter(known, judgement, now, this.#staleAfter), chain }
      if (await this.#write(known, verdict, judgement)) return { ...known, ...verdict }
    }
  }

  #write(known: HeldRow, verdict: Verdict, judgement: Judgement): Promise<boolean> {
    const { store, events } = this.#context
    return store.transaction(async (tx) => {
      if (!(await writeVerdict(tx, known, verdict))) return false
      if (known.checked_at !== null && verdict.status !== known.status)
        await events.record(tx, changed(known, verdict.status, judgement))
      return true
    })
  }

  async #judgement({ certificate, chain }: StoredCertificate, now: Date): Promise<Judged> {
    try {
      const judge = await this.#trust.judge()
      const options = { at: now, now, purpose: 'signing', certificates: chain } as const
      const verdict = await judge.certificate(certificate, options)
      return { judgement: judgementOf(verdict, certificate), path: issuersOf(verdict) }
    } catch (error) {
      // A certificate that crashes the validation must not keep the others from being validated.
      if (!(error instanceof EngineError)) this.#context.logger.error({ err: error }, 'certificate validation failed')
      return { judgement: { kind: 'unknown', reason: notJudged(error), finding: ofHolder('not-judged') }, path: [] }
    }
  }

  get #staleAfter(): number {
    return this.#context.settings.Certificates.StaleAfterMinutes * MINUTE
  }
}

interface Judged {
  readonly judgement: Judgement
  readonly path: CertificateVerdict['path']
}

const isBefore = (time: string | null, now: Date): boolean => time === null || time < now.toISOString()

const dataLost: Judged = {
  judgement: {
    kind: 'bad',
    status: 'UNTRUSTED',
    reason: {
      'en-US': 'The data of the certificate is not held.',
      'pt-BR': 'Os dados do certificado não estão guardados.',
    },
    finding: ofHolder('data-lost'),
  },
  path: [],
}

/** The issuers of a path that reaches a root; an incomplete path is not worth storing. */
const issuersOf = ({ path, anchor }: CertificateVerdict): CertificateVerdict['path'] =>
  anchor === null ? [] : path.slice(1)

/** The engine's own words are English. */
const notJudged = (error: unknown): Bilingual =>
  error instanceof EngineError
    ? {
        'en-US': `It could not be judged: ${error.message}`,
        'pt-BR': `Ele não pôde ser avaliado: ${error.message}`,
      }
    : {
        'en-US': 'It could not be judged: an unexpected failure.',
        'pt-BR': 'Ele não pôde ser avaliado: uma falha inesperada.',
      }

function changed({ id, status: former }: HeldRow, status: CertificateStatus, judgement: Judgement) {
  const facts = {
    status: said(`status-${status}`),
    former: said(`status-${former}`),
    reason: judgement.kind === 'good' ? '' : said('because', { reason: judgement.reason }),
  }
  return act('CertificateVerdictChanged', 'certificate check', ['certificate', id], facts)
}

/** Opens the trust in authorities that the settings describe. */
export function openCertificateTrust({ settings, dataFolder, logger, clock }: Context): Promise<Trust> {
  const { TrustAnchorsFile, AuthorityHosts } = settings.Certificates
  return openTrust({
    file: TrustAnchorsFile === undefined ? undefined : resolve(dataFolder, TrustAnchorsFile),
    setting: 'session-server Certificates:TrustAnchorsFile',
    kept: join(dataFolder, 'session-server', 'trust', 'icp-brasil.pem'),
    logger,
    clock,
    exchange: guardedExchange(AuthorityHosts),
  })
}
