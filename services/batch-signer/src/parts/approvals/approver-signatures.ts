import { createHash } from 'node:crypto'
import { signerSetProblems } from '@chancela/service-kernel/trust'
import { EngineError, type Prepared } from '@chancela/signature-engine'
import {
  attachCadesContent,
  type CadesStateData,
  completeCades,
  detachCadesContent,
  prepareCadesOverDigest,
  prepareCoSignature,
} from '@chancela/signature-engine/cades'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import { type Approver, approversSign } from '../../rules/approval-rule.ts'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { refuse } from '../../rules/refuse.ts'
import { saidBoth } from '../../rules/sentences.ts'
import { ShownRefusal } from '../../rules/shown-refusal.ts'
import { type JobEnvelope, readApproverCertificates, readJobEnvelope } from '../../store/approval-envelopes.ts'
import { DiskFull, type EnvelopeFiles } from '../../upstream/storage/storage.ts'
import type { Profiles } from '../signing/open-profile-directory.ts'
import { type BegunSignature, endOf, openBegun, sealBegun } from './begun-signature.ts'
import { exactPieces } from './exact-pieces.ts'
import { type ApprovingCertificate, type HandedCertificate, judgeApprover } from './judge-approver.ts'
import { outcomeOf, type SignatureOutcome } from './signature-outcomes.ts'

interface SignatureParts {
  readonly profiles: Pick<Profiles, 'get' | 'approverGate'>
  readonly envelopes: EnvelopeFiles
  readonly metrics: Pick<BatchMetrics, 'bulk_approver_signatures_total'>
}

/** A member of the frozen pool, whom the session names; a certificate never chooses the member. */
interface OfApprover {
  readonly jobId: string
  readonly approver: Approver
}

/** Of several files under one certificate, the first has it judged: a verdict of moments ago is good for the others. */
interface OfSeveral {
  readonly judgedBefore?: boolean
}

interface Begin extends OfApprover, OfSeveral, HandedCertificate {
  /** Where the key is. Default: with the browser. */
  readonly means?: ApproverCertificate['means']
  /** The provider of a key in a cloud. */
  readonly cloudService?: string | null
}

/** What the approver's key has to sign. */
export interface SignatureToMake {
  /** To be handed back with the signature, unread: it is for this job and this person, until `expiresAt`. */
  readonly token: string
  /** The bytes that are signed: for keys that hash themselves, as those of browsers do. */
  readonly toSign: Uint8Array
  /** Their digest: for keys that are given one. */
  readonly digest: Uint8Array
  readonly digestAlgorithm: 'sha256' | 'sha512'
  /** What the signature is over, as the approver's page shows it. */
  readonly contentSha256: string
  readonly expiresAt: Date
}

interface Complete extends OfApprover, OfSeveral {
  readonly token: string
  readonly signature: Uint8Array
  /** When the key made it, where it was kept since. Default: now. */
  readonly madeAt?: Date
}

/** A signature that is durable, and counts once the decision names it. */
export interface ApproverSignature {
  readonly certificate: ApproverCertificate
  readonly envelopeBefore: string | null
  readonly envelopeAfter: string
}

/**
 * Signatures of approvers, made where their keys are (batch-signer facts 5.4). The first wraps the staged bytes, each
 * next one stands parallel to it. A new envelope is durable before the decision names it, and a decision names it only
 * in place of the one it was made from: killed in between, there is a file that nobody names.
 */
export class ApproverSignatures {
  readonly #context: Pick<Context, 'store' | 'secrets' | 'clock' | 'logger'>
  readonly #parts: SignatureParts

  constructor(context: Pick<Context, 'store' | 'secrets' | 'clock' | 'logger'>, parts: SignatureParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Judges the certificate, and says what its key has to sign. Throws ShownRefusal. */
  prepare(asked: Begin): Promise<SignatureToMake> {
    const { jobId, approver, means = 'browser', cloudService = null } = asked
    return this.#counted(means, async () => {
      const { clock, secrets } = this.#context
      const job = await this.#job(jobId)
      const at = clock()
      const { certificate, chain } = await this.#judged(asked, asked, at)
      const begun: BegunSignature = {
        means,
        cloudService,
        contentSha256: job.contentSha256,
        envelopeBefore: job.envelopeSha256,
        at,
        level: this.#levelOf(job),
        certificate: certificate.der,
        chain: chain.map(({ der }) => der),
      }
      const { toSign, digest, algorithm } = await this.#prepared(jobId, job, begun)
      return {
        token: sealBegun(secrets, { jobId, email: approver.email }, begun),
        toSign,
        digest,
        digestAlgorithm: algorithm.digest as SignatureToMake['digestAlgorithm'],
        contentSha256: job.contentSha256,
        expiresAt: endOf(begun),
      }
    })
  }

  /**
   * Puts the signature into a new envelope, and has the decision recorded that names it; `record` throws a refusal with
   * the code approval.signature-conflict where another envelope counts by then. Throws ShownRefusal.
   */
  async complete<T>(asked: Complete, record: (signed: ApproverSignature) => Promise<T>): Promise<T> {
    const { jobId, approver, token } = asked
    const { clock, secrets } = this.#context
    const madeAt = asked.madeAt ?? clock()
    const open = async () => openBegun(secrets, { jobId, email: approver.email }, token, madeAt)
    // Where the key is stands in the token: one that does not open came from a browser.
    const begun = await this.#counted('browser', open)
    return this.#counted(begun.means, async () => {
      const signed = await this.#signed(asked, begun)
      const recorded = await record(signed).finally(() => this.#tidy(jobId, signed))
      this.count('signed', begun.means)
      return recorded
    })
  }

  /** Counts an attempt that ended outside this service: the approver gave up, the browser or the provider failed. */
  count(outcome: SignatureOutcome, means: ApproverCertificate['means']): void {
    this.#parts.metrics.bulk_approver_signatures_total.inc({ outcome, means })
  }

  async #counted<T>(means: ApproverCertificate['means'], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome) this.count(outcome, means)
      throw error
    }
  }

  #judged({ approver, judgedBefore = false }: OfApprover & OfSeveral, handed: HandedCertificate, now: Date) {
    return judgeApprover(this.#parts.profiles.approverGate, handed, { cpf: approver.cpf, again: !judgedBefore }, now)
  }

  async #job(jobId: string): Promise<SignableJob> {
    const job = await readJobEnvelope(this.#context.store.db, jobId)
    if (!job) throw refuse('approval.not-required')
    if (!approversSign(job.rule.signers)) throw refuse('request.invalid', { reason: 'Approvers do not sign this job.' })
    const { contentSha256, contentLength } = job
    if (contentSha256 === null || contentLength === null)
      throw new ShownRefusal('approval.signature-conflict', 'copy-lost')
    return { ...job, contentSha256, contentLength }
  }

  /** Approvers sign at the basic level of the profile's kind: no timestamp is asked for while somebody waits. */
  #levelOf({ profileName }: JobEnvelope): BegunSignature['level'] {
    const profile = this.#parts.profiles.get(profileName)
    if (!profile) throw refuse('profile.not-found', { name: profileName })
    return profile.level.startsWith('AD-') ? 'AD-RB' : 'B-B'
  }

  /** The same job, envelope and beginning always give the same bytes to sign. */
  async #prepared(jobId: string, job: SignableJob, begun: BegunSignature): Promise<Prepared<CadesStateData>> {
    const certificate = Certificate.read(begun.certificate)
    const chain = begun.chain.map((der) => Certificate.read(der))
    const contentDigest = await this.#contentDigest(jobId, job, certificate)
    const options = { now: begun.at, level: begun.level, chain }
    if (begun.envelopeBefore === null)
      return usable(() => prepareCadesOverDigest(contentDigest, certificate, { ...options, packaging: 'detached' }))
    const detached = await this.#detached(jobId, begun.envelopeBefore)
    return usable(() => prepareCoSignature(detached, certificate, { ...options, contentDigest }))
  }

  /** SHA-256 is known since the job parked; Ed25519 goes with another digest. */
  async #contentDigest(jobId: string, job: SignableJob, { keyType }: Certificate): Promise<Buffer> {
    if (keyType !== 'ed25519') return Buffer.from(job.contentSha256, 'hex')
    const hash = createHash('sha512')
    for await (const piece of this.#staged(jobId, job)) hash.update(piece)
    return hash.digest()
  }

  #staged(jobId: string, { stagedName, contentSha256 }: SignableJob): AsyncGenerator<Uint8Array> {
    return exactPieces(this.#parts.envelopes.stagedPath(jobId, stagedName), contentSha256, 'copy-lost')
  }

  /** The signatures so far. Somebody else's may have taken their place between the row and the file. */
  async #detached(jobId: string, sha256: string): Promise<Buffer> {
    try {
      return (await detachCadesContent(this.#envelope(jobId, sha256))).detached
    } catch (error) {
      const current = await readJobEnvelope(this.#context.store.db, jobId)
      throw current?.envelopeSha256 === sha256 ? error : new ShownRefusal('approval.signature-conflict', [], error)
    }
  }

  #envelope(jobId: string, sha256: string): AsyncGenerator<Uint8Array> {
    return exactPieces(this.#parts.envelopes.path(jobId, sha256), sha256, 'envelope-lost')
  }

  async #signed(asked: Complete, begun: BegunSignature): Promise<ApproverSignature> {
    const { jobId, signature } = asked
    const { store, clock } = this.#context
    // Before the row: one that is recorded in between has changed the row's envelope.
    const others = await readApproverCertificates(store.db, jobId)
    const job = await this.#job(jobId)
    requireUnchanged(job, begun)
    // Minutes have passed since the certificate was judged.
    const judged = await this.#judged(asked, begun, clock())
    const { state } = await this.#prepared(jobId, job, begun)
    const detached = completed(() => completeCades(state, signature))
    const content = () => this.#staged(jobId, job)
    const envelopeAfter = await this.#written(jobId, attachCadesContent(detached, content, job.contentLength))
    const certificate = summaryOf(judged, begun)
    const thumbprints = [...others, certificate].map(({ thumbprintSha256 }) => thumbprintSha256)
    await this.#requireExactly(jobId, envelopeAfter, { thumbprints, contentSha256: job.contentSha256, now: begun.at })
    return { certificate, envelopeBefore: begun.envelopeBefore, envelopeAfter }
  }

  async #written(jobId: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    try {
      return await this.#parts.envelopes.write(jobId, bytes)
    } catch (error) {
      const isGone = error instanceof JobFailure && (error.cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (isGone || error instanceof EngineError)
        throw new ShownRefusal('approval.signature-conflict', 'copy-lost', error)
      // Full or failing, the disk is not the approver's fault: the same signature can be sent again.
      const isOfDisk = error instanceof DiskFull || error instanceof JobFailure
      throw isOfDisk ? refuse('service.busy', { reason: NOT_WRITTEN }, error) : error
    }
  }

  /** Reads what was written, as whoever releases the job will. */
  async #requireExactly(jobId: string, sha256: string, asked: Parameters<typeof signerSetProblems>[1]): Promise<void> {
    const { missing, problems } = await signerSetProblems(this.#envelope(jobId, sha256), asked)
    if (missing.length > 0) throw new ShownRefusal('approval.signature-conflict', 'envelope-lost')
    if (problems.length > 0) throw new ShownRefusal('approval.signature-invalid', problems.map(saidBoth))
  }

  /**
   * Removes the envelopes that no row can name any more. The row only ever goes on from the one it names: what it has
   * left behind, and what was made from that, are nobody's; all others may still be recorded, by a twin of this call.
   */
  async #tidy(jobId: string, { envelopeBefore: before, envelopeAfter: after }: ApproverSignature): Promise<void> {
    try {
      const current = (await readJobEnvelope(this.#context.store.db, jobId))?.envelopeSha256 ?? null
      if (current === before) return
      const left = [before, after].filter((sha256) => sha256 !== null && sha256 !== current)
      for (const sha256 of left) await this.#parts.envelopes.remove(jobId, sha256!)
    } catch (error) {
      this.#context.logger.warn({ err: error, job: jobId }, 'an envelope that is out of date could not be removed')
    }
  }
}

const NOT_WRITTEN = 'The signature could not be written.'

/** A job that approvers can sign: what they sign is known. */
type SignableJob = JobEnvelope & { readonly contentSha256: string; readonly contentLength: number }

function requireUnchanged({ envelopeSha256, contentSha256 }: SignableJob, begun: BegunSignature): void {
  if (envelopeSha256 !== begun.envelopeBefore || contentSha256 !== begun.contentSha256)
    throw new ShownRefusal('approval.signature-conflict')
}

/** A certificate that is good, but cannot make the signature: its kind of key, or no policy for its root. */
function usable<T>(prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ShownRefusal('approval.certificate-invalid', 'certificate-unfit', error)
  }
}

function completed<T>(complete: () => T): T {
  try {
    return complete()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ShownRefusal('approval.signature-invalid', 'other-key', error)
  }
}

const summaryOf = (
  { certificate, cpf, cnpj }: ApprovingCertificate,
  { means, cloudService }: BegunSignature,
): ApproverCertificate => ({
  subject: certificate.subject.toString(),
  issuer: certificate.issuer.toString(),
  serialNumber: certificate.serialNumberHex,
  thumbprintSha256: certificate.fingerprint,
  cpf,
  cnpj,
  means,
  cloudService,
})
