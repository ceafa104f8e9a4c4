import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { coSignCades, signCades, validateCades } from '@chancela/signature-engine/cades'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import type { ApprovedSignatures } from '../src/parts/signing/signing.ts'
import type { SignerSet } from '../src/rules/approval-rule.ts'
import type { SignatureFormat } from '../src/rules/job.ts'
import { JobFailure } from '../src/rules/job-failure.ts'
import { toldIn } from '../src/rules/sentences.ts'
import { createWorkArea } from '../src/upstream/storage/local/work-area.ts'
import {
  type ApproverWorld,
  judgeOf,
  openApproverWorld,
  opensslJudges,
  type Person,
  type WaitingJob,
} from './test-support/approver-world.ts'
import { runningPki, seed } from './test-support/signing-world.ts'

const content = Buffer.from('REMESSA DE PAGAMENTOS\r\n'.repeat(900))

/** A profile whose key is not one of the approvers'. */
const payments = (more: Readonly<Record<string, unknown>> = {}) => [
  seed('payments', { Format: 'Cades', ...more }, 'davi-moreira'),
]

/** A rule whose approvers sign is refused where they cannot come in. */
const portal = { ApproverPortal: { Enabled: true, LinkSecret: 'the-links-of-approvers-come-from-this' } }

interface Released {
  readonly world: ApproverWorld
  readonly job: WaitingJob
  readonly approved: ApprovedSignatures
}

/** A job that these people approved by signature. */
async function released(
  signers: SignerSet,
  more: Readonly<Record<string, unknown>> = {},
  approvers: readonly Person[] = ['ana-souza', 'bruno-lima'],
): Promise<Released> {
  const world = await openApproverWorld({ seeds: payments(more), settings: portal })
  const job = await world.park(content, signers)
  for (const person of approvers) await world.approve(job, person)
  return { world, job, approved: await world.approved(job) }
}

/** Signs, verifies and puts out into a hidden file, as the pipeline does. */
async function putOut({ world, job, approved }: Released, format: SignatureFormat = 'Cades'): Promise<Buffer> {
  const { profiles, context, folder } = world
  const plan = profiles.plan({ profileName: 'payments', format, encryptionRequested: null })
  const now = context.clock()
  const signed = await plan.signApproved(job.staged, approved, now, async () => join(folder, `scratch-${job.id}`))
  await signed.verify(now)
  const work = await createWorkArea({ root: world.root })
  return readFile((await work.write(job.id, await signed.output(now))).path)
}

const failure = (code: string) => expect.objectContaining({ name: 'JobFailure', code })

/** Thumbprint and level of every signature, judged by our verifier. */
async function signaturesIn(world: ApproverWorld, file: Buffer): Promise<Readonly<Record<string, string>>> {
  const { signatures } = await validateCades(file, { judge: judgeOf(world), now: new Date() })
  expect(signatures.map(({ indication }) => indication)).toEqual(signatures.map(() => 'valid'))
  return Object.fromEntries(signatures.map(({ signer, level }) => [signer!.certificate.fingerprint, level]))
}

const keyOf = (world: ApproverWorld, label: string): DigestSigner => {
  const issued = world.pki.certificate(label)
  const [certificate, ...chain] = world.pki.chainOf(issued).map(({ der }) => Certificate.read(der))
  return keySigner({ certificate: certificate!, chain, privateKey: issued.key.privateKey })
}

describe('a file that its approvers sign in place of the profile', () => {
  test('is put out with their signatures, and the envelope stays where its row says', async () => {
    const given = await released('Approvers')
    const output = await putOut(given)
    expect(await opensslJudges(given.world, output)).toEqual({ signers: 2, content })
    expect(output.equals(await readFile(given.approved.envelope!.path))).toBe(true)
  })

  test('is armoured and encrypted as the profile says', async () => {
    const pem = await released('Approvers', { SaveAsPem: true })
    const armoured = await putOut(pem)
    expect(armoured.toString()).toMatch(/^-----BEGIN PKCS7-----\n/)
    expect(await opensslJudges(pem.world, armoured, 'PEM')).toEqual({ signers: 2, content })
    const sealed = await released('Approvers', { EncryptionCertificateFiles: ['ana-souza.pem'] })
    const inside = await decrypted(sealed.world, await putOut(sealed))
    expect((await opensslJudges(sealed.world, inside)).signers).toBe(2)
  })

  test('needs no key of the profile', async () => {
    const given = await released('Approvers')
    const { profiles } = given.world
    const { version, ...draft } = profiles.get('payments')!
    const approval = {
      minimumApprovers: 1,
      expiresAfterSeconds: null,
      signers: 'Approvers',
      approvers: [{ name: 'Ana Souza', email: 'ana@example.com', cpf: '52998224725' }],
    } as const
    await profiles.edit('payments', version, { draft: { ...draft, approval, certificate: null } }, 'operator')
    expect((await opensslJudges(given.world, await putOut(given))).signers).toBe(2)
    const both = { ...given, approved: { ...given.approved, signers: 'ProfileKeyAndApprovers' } as const }
    await expect(putOut(both)).rejects.toThrow(failure('profile.key-unavailable'))
  })
})

describe('a file that the profile signs besides its approvers', () => {
  test.each(['B-B', 'AD-RB', 'AD-RT', 'B-LTA', 'AD-RA'] as const)(
    'has all signatures, its own at %s',
    async (level) => {
      const { baseUrl } = await runningPki()
      const more = { Level: level, TimestampAuthority: `${baseUrl}/tsa` }
      const given = await released('ProfileKeyAndApprovers', more)
      const output = await putOut(given)
      expect(await opensslJudges(given.world, output)).toEqual({ signers: 3, content })
      const basic = level.startsWith('AD-') ? 'AD-RB' : 'B-B'
      const own = keyOf(given.world, 'davi-moreira').certificate.fingerprint
      const approvers = given.approved.thumbprints.map((thumbprint) => [thumbprint, basic])
      expect(await signaturesIn(given.world, output)).toEqual({ ...Object.fromEntries(approvers), [own]: level })
    },
  )

  test('may have an approver who uses the certificate of the profile', async () => {
    const { baseUrl } = await runningPki()
    const more = { Level: 'AD-RT', TimestampAuthority: `${baseUrl}/tsa` }
    const given = await released('ProfileKeyAndApprovers', more, ['davi-moreira'])
    expect((await opensslJudges(given.world, await putOut(given))).signers).toBe(2)
  })
})

test('a file whose approvers do not sign is signed by the profile alone', async () => {
  const world = await openApproverWorld({ seeds: payments() })
  const job = await world.park(content, 'ProfileKey')
  const approved = { signers: 'ProfileKey', envelope: null, thumbprints: [null, null] } as const
  expect((await opensslJudges(world, await putOut({ world, job, approved }))).signers).toBe(1)
})

describe.each(['Approvers', 'ProfileKeyAndApprovers'] as const)('the signatures of %s', (signers) => {
  test('that are gone, or were never made, fail the job before the key is used', async () => {
    const { approved, ...given } = await released(signers)
    const refused = async (changed: Partial<ApprovedSignatures>) =>
      expect(putOut({ ...given, approved: { ...approved, ...changed } })).rejects.toThrow(
        failure('approval.signatures-missing'),
      )
    await refused({ envelope: null })
    await refused({ thumbprints: [] })
    // Somebody approved without a signature, or one that the envelope does not have.
    await refused({ thumbprints: [...approved.thumbprints, null] })
    await refused({ thumbprints: [...approved.thumbprints, 'a'.repeat(64)] })
    await refused({ thumbprints: [...approved.thumbprints, approved.thumbprints[0]!] })
    await rm(approved.envelope!.path)
    await refused({})
  })

  test('with one of somebody who did not approve fail the job, in both languages', async () => {
    const given = await released(signers)
    const { path } = given.approved.envelope!
    const stranger = keyOf(given.world, 'helena-prado')
    const now = given.world.context.clock()
    await writeFile(path, await coSignCades(await readFile(path), stranger, { now }))
    const error = await putOut(given).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(JobFailure)
    const { code, lines } = error as JobFailure
    expect(code).toBe('job.verification-failed')
    expect(lines.map(({ text }) => text)).toEqual(['It carries a signature of somebody who is not to sign.'])
    expect(toldIn('pt-BR', lines[0]!.text, lines[0]!.told)).toMatch(/alguém que não deveria/)
  })

  test('over another content, or changed, fail the job', async () => {
    const given = await released(signers, {}, ['ana-souza'])
    const { path } = given.approved.envelope!
    const whole = await readFile(path)
    const changed = Buffer.from(whole)
    changed[changed.indexOf('PAGAMENTOS', 5_000)]! ^= 1
    const now = given.world.context.clock()
    const other = await signCades(Buffer.from('OUTRA REMESSA'), keyOf(given.world, 'ana-souza'), { now })
    for (const bytes of [changed, other]) {
      await writeFile(path, bytes)
      await expect(putOut(given)).rejects.toThrow(failure('job.verification-failed'))
    }
    await writeFile(path, 'no signature at all')
    await expect(putOut(given)).rejects.toThrow(failure('approval.signatures-missing'))
  })

  test('that the same people made another time are not those of the decisions, and fail the job', async () => {
    const given = await released(signers, {}, ['ana-souza'])
    const now = new Date(given.world.context.clock().getTime() - 60_000)
    const { path } = given.approved.envelope!
    await writeFile(path, await signCades(content, keyOf(given.world, 'ana-souza'), { now }))
    await expect(putOut(given)).rejects.toThrow(failure('job.storage-failed'))
  })

  test('cannot be made in another format than CAdES', async () => {
    const given = await released(signers)
    for (const format of ['Pades', 'Xades'] as const)
      await expect(putOut(given, format)).rejects.toThrow(failure('approval.signer-set-unsupported'))
  })
})

test('a copy that was altered after its approval is not signed by the profile', async () => {
  const given = await released('ProfileKeyAndApprovers')
  await writeFile(given.job.staged.path, Buffer.from(content).fill(0x20, 0, 1))
  await expect(putOut(given)).rejects.toThrow(JobFailure)
})

async function decrypted({ pki, folder }: ApproverWorld, enveloped: Buffer): Promise<Buffer> {
  const { x509, key } = pki.certificate('ana-souza')
  await writeFile(
    join(folder, 'recipient.pem'),
    `${x509.toString()}${key.privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
  )
  await writeFile(join(folder, 'output.enc'), enveloped)
  const args = ['cms', '-decrypt', '-inform', 'DER', '-in', 'output.enc', '-recip', 'recipient.pem', '-binary']
  const { ok, stdout, text } = await openssl(args, { folder })
  expect(ok, text).toBe(true)
  return stdout
}
