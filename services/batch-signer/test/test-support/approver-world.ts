// Jobs that wait for approvers who sign, over a real store and real files, with keys of the demo PKI.
import { createHash, randomUUID, sign } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createJudge,
  exchangeOverHttp,
  type Judge,
  RevocationSource,
  TrustAnchors,
} from '@chancela/signature-engine/judgement'
import { readCertificates } from '@chancela/signature-engine/x509'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { expect } from 'vitest'
import { openBatchMetrics } from '../../src/metrics.ts'
import {
  type ApproverSignature,
  ApproverSignatures,
  type SignatureToMake,
} from '../../src/parts/approvals/approver-signatures.ts'
import type { ApprovedSignatures } from '../../src/parts/signing/signing.ts'
import { type ApprovalRule, type Approver, approverKey, type SignerSet } from '../../src/rules/approval-rule.ts'
import { ShownRefusal } from '../../src/rules/shown-refusal.ts'
import { readApproverCertificates, readJobEnvelope } from '../../src/store/approval-envelopes.ts'
import { createEnvelopeFiles } from '../../src/upstream/storage/local/envelope-files.ts'
import type { Staged } from '../../src/upstream/storage/storage.ts'
import { openSigningWorld, type SigningWorld, seed, type WorldOptions } from './signing-world.ts'

/** People whose certificates the demo PKI has, under these labels. */
export const people = {
  'ana-souza': { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725' },
  'bruno-lima': { name: 'Bruno Carvalho Lima', email: 'bruno@example.com', cpf: '11144477735' },
  'davi-moreira': { name: 'Davi Moreira dos Santos', email: 'davi@example.com', cpf: '98765432100' },
} as const satisfies Readonly<Record<string, Approver>>

export type Person = keyof typeof people

/** A job that waits. */
export interface WaitingJob {
  readonly id: string
  readonly staged: Staged & { readonly kind: 'file' }
}

export type ApproverWorld = Awaited<ReturnType<typeof openApproverWorld>>

/** A profile `payments` whose approvers sign. */
export async function openApproverWorld({
  seeds = [seed('payments', { Format: 'Cades' })],
  ...more
}: WorldOptions = {}) {
  const world = await openSigningWorld({ seeds, ...more })
  const { context, profiles, folder, pki } = world
  const root = join(folder, 'batch-signer')
  const envelopes = createEnvelopeFiles({ root })
  const signatures = new ApproverSignatures(context, { profiles, envelopes, metrics: openBatchMetrics(context) })

  /** Parks a file as the pipeline does. */
  async function park(content: Buffer, signers: SignerSet = 'Approvers'): Promise<WaitingJob> {
    const id = randomUUID()
    const sha256 = createHash('sha256').update(content).digest('hex')
    await mkdir(join(root, 'processing', id), { recursive: true })
    const path = envelopes.stagedPath(id, 'remessa.rem')
    await writeFile(path, content)
    const rule: ApprovalRule = {
      minimumApprovers: 2,
      expiresAfterSeconds: null,
      signers,
      approvers: Object.values(people),
    }
    await context.store.db
      .insertInto('job_approval')
      .values({
        job_id: id,
        file_name: 'remessa.rem',
        profile_name: 'payments',
        rule: JSON.stringify(rule),
        content_sha256: sha256,
        content_length: content.length,
        staged_name: 'remessa.rem',
        parked_at: context.clock().toISOString(),
        expires_at: null,
        envelope_sha256: null,
      })
      .execute()
    return { id, staged: { kind: 'file', path, length: content.length, sha256 } }
  }

  /** The first half: what the key of a certificate has to sign for a person. */
  const prepare = (job: WaitingJob, person: Person, issued = pki.certificate(person)): Promise<SignatureToMake> =>
    signatures.prepare({ jobId: job.id, approver: people[person], certificate: issued.der })

  /** The second half, recorded as a decision records it. */
  const complete = (job: WaitingJob, person: Person, token: string, signature: Uint8Array) =>
    signatures.complete({ jobId: job.id, approver: people[person], token, signature }, (signed) =>
      record(world, job, people[person], signed),
    )

  async function approve(
    job: WaitingJob,
    person: Person,
    issued = pki.certificate(person),
  ): Promise<ApproverSignature> {
    const { token, toSign } = await prepare(job, person, issued)
    return complete(job, person, token, signedWith(issued, toSign))
  }

  /** What the pipeline knows of a job that was released. */
  async function approved(job: WaitingJob): Promise<ApprovedSignatures> {
    const { rule, envelopeSha256 } = (await readJobEnvelope(context.store.db, job.id))!
    const certificates = await readApproverCertificates(context.store.db, job.id)
    return {
      signers: rule.signers,
      envelope:
        envelopeSha256 === null ? null : { path: envelopes.path(job.id, envelopeSha256), sha256: envelopeSha256 },
      thumbprints: certificates.map(({ thumbprintSha256 }) => thumbprintSha256),
    }
  }

  return {
    ...world,
    root,
    envelopes,
    signatures,
    park,
    prepare,
    complete,
    approve,
    approved,
    /** The files beside the staged copy. */
    beside: async ({ id }: WaitingJob) =>
      (await readdir(join(root, 'processing', id))).filter((name) => name !== 'remessa.rem'),
    /** How often attempts ended so, with the key in the browser. */
    counted: async (outcome: string): Promise<number> => {
      const line = `bulk_approver_signatures_total{outcome="${outcome}",means="browser"} `
      const text = await context.metrics.text()
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.slice(line.length),
      )
    },
  }
}

/** As WebCrypto signs: messages, and ECDSA as r‖s. */
export const signedWith = ({ key }: IssuedCertificate, toSign: Uint8Array): Buffer =>
  key.privateKey.asymmetricKeyType === 'ed25519'
    ? sign(null, toSign, key.privateKey)
    : sign('sha256', toSign, { key: key.privateKey, dsaEncoding: 'ieee-p1363' })

/** The row goes on only from the envelope that the signature was made from. */
async function record(
  { context }: SigningWorld,
  { id, staged }: WaitingJob,
  { name, email, cpf }: Approver,
  signed: ApproverSignature,
): Promise<ApproverSignature> {
  await context.store.transaction(async (db) => {
    const before = signed.envelopeBefore
    const { numUpdatedRows } = await db
      .updateTable('job_approval')
      .set({ envelope_sha256: signed.envelopeAfter })
      .where('job_id', '=', id)
      .where('envelope_sha256', before === null ? 'is' : '=', before)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ShownRefusal('approval.signature-conflict')
    await db
      .insertInto('approval_decision')
      .values({
        job_id: id,
        approver_key: approverKey(email),
        name,
        cpf,
        decision: 'approved',
        reason: null,
        method: 'LinkDerivedEmail',
        content_sha256: staged.sha256,
        decided_at: context.clock().toISOString(),
        ip_address: null,
        user_agent: null,
        second_factor_at: null,
        certificate: JSON.stringify(signed.certificate),
      })
      .execute()
  })
  return signed
}

/** Our own verifier, over the roots of the demo PKI. */
export const judgeOf = ({ pki }: Pick<SigningWorld, 'pki'>): Judge =>
  createJudge({
    anchors: TrustAnchors.of(readCertificates(Buffer.from(pki.trustAnchors()))),
    exchange: exchangeOverHttp,
    revocation: new RevocationSource({ exchange: exchangeOverHttp }),
  })

/** OpenSSL verifies the file; returns the number of its signers and the content. */
export async function opensslJudges({ pki }: SigningWorld, signed: Uint8Array, form: 'DER' | 'PEM' = 'DER') {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'roots.pem'), pki.trustAnchors())
  await writeFile(join(folder, 'signed'), signed)
  const verify = ['cms', '-verify', '-binary', '-purpose', 'any', '-CAfile', 'roots.pem', '-inform', form]
  const { ok, text, stdout } = await openssl([...verify, '-in', 'signed'], { folder })
  expect(ok, text.slice(-500)).toBe(true)
  // Without its content: what is printed names every signer.
  const print = ['cms', '-cmsout', '-print', '-noout', '-inform', form, '-in', 'signed']
  const printed = signed.length < 1_000_000 ? (await openssl(print, { folder })).text : ''
  return { signers: printed.match(/d\.issuerAndSerialNumber/g)?.length ?? 0, content: stdout }
}
