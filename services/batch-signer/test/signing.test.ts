import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Certificate } from '@chancela/signature-engine/x509'
import { samplePdf, sampleXml } from '@chancela/testkit/samples'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { checkSignature } from '../src/parts/signing/check-signature.ts'
import { ProfileHeld } from '../src/rules/conditions.ts'
import type { SignatureFormat } from '../src/rules/job.ts'
import { JobFailure } from '../src/rules/job-failure.ts'
import { toldIn } from '../src/rules/sentences.ts'
import { inMemory, onDisk, openSigningWorld, runningPki, seed, signThrough } from './test-support/signing-world.ts'

const samples: Readonly<Record<SignatureFormat, () => Buffer>> = {
  Pades: () => samplePdf('a document'),
  Cades: () => Buffer.from('any bytes at all\n'),
  Xades: sampleXml,
}

/** Independent programs that validate a signed file; each fails the test unless it accepts the signature. */
const judges: Readonly<Record<SignatureFormat, (signed: Buffer, folder: string) => Promise<void>>> = {
  Pades: async (signed, folder) => {
    await writeFile(join(folder, 'signed.pdf'), signed)
    const { text } = await runTool('pdfsig', ['-nocert', join(folder, 'signed.pdf')])
    expect(text).toContain('Signature Validation: Signature is Valid.')
    const { ok } = await runTool('qpdf', ['--check', join(folder, 'signed.pdf')])
    expect(ok).toBe(true)
  },
  Cades: async (signed, folder) => {
    await writeFile(join(folder, 'roots.pem'), (await runningPki()).pki.trustAnchors())
    const args = [
      'cms',
      '-verify',
      '-inform',
      'DER',
      '-binary',
      '-CAfile',
      join(folder, 'roots.pem'),
      '-purpose',
      'any',
    ]
    const { ok, text, stdout } = await openssl(args, { input: signed })
    expect(text).toContain('Verification successful')
    expect(ok).toBe(true)
    expect(stdout).toEqual(samples.Cades())
  },
  Xades: async (signed, folder) => {
    await writeFile(join(folder, 'signed.xml'), signed)
    await writeFile(join(folder, 'roots.pem'), (await runningPki()).pki.certificate('root').x509.toString())
    const args = [
      '--verify',
      '--trusted-pem',
      join(folder, 'roots.pem'),
      '--enabled-key-data',
      'x509',
      join(folder, 'signed.xml'),
    ]
    const { text } = await runTool('xmlsec1', args)
    expect(text).toMatch(/^OK$/m)
  },
}

const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const
const keys = { 'RSA-2048': 'ana-souza', 'P-256': 'davi-moreira' } as const

describe('a plan signs', () => {
  for (const format of ['Pades', 'Cades', 'Xades'] as const) {
    for (const [kind, label] of Object.entries(keys)) {
      for (const level of levels.filter((one) => one !== 'AD-RV' || format !== 'Pades')) {
        test(`${format} ${level} with a key of ${kind}, and others accept it`, async () => {
          const { baseUrl } = await runningPki()
          const world = await openSigningWorld({
            seeds: [seed('matrix', { Format: format, Level: level, TimestampAuthority: `${baseUrl}/tsa` }, label)],
          })
          const signed = await signThrough(world, { profile: 'matrix', format }, inMemory(samples[format]()))
          await judges[format](signed, world.folder)
        })
      }
    }
  }

  test('files that were staged on disk: CAdES as a stream, PDF and XML read back', async () => {
    const world = await openSigningWorld({ seeds: [seed('cades', { Format: 'Cades' })] })
    const large = Buffer.alloc(3_000_001, 'large file ')
    const staged = await onDisk(join(world.folder, 'staged'), large)
    const signed = await signThrough(world, { profile: 'cades', format: 'Cades' }, staged)
    const { stdout, text } = await openssl(
      ['cms', '-verify', '-inform', 'DER', '-binary', '-CAfile', join(world.folder, 'roots.pem'), '-purpose', 'any'],
      { input: signed },
    )
    expect(text).toContain('Verification successful')
    expect(stdout.equals(large)).toBe(true)
    const pdf = await onDisk(join(world.folder, 'staged.pdf'), samplePdf('a document', 50_000))
    await judges.Pades(await signThrough(world, { profile: 'cades', format: 'Pades' }, pdf), world.folder)
  })

  test('with a certificate that has expired, in every format, where the profile does not have it validated', async () => {
    const seeds = [seed('trusting', { Format: 'Cades', ValidateCertificate: false }, 'expired')]
    const world = await openSigningWorld({ seeds })
    for (const format of ['Pades', 'Xades', 'Cades'] as const) {
      const signed = await signThrough(world, { profile: 'trusting', format }, inMemory(samples[format]()))
      expect(signed.length).toBeGreaterThan(samples[format]().length)
    }
    const onceMore = await onDisk(join(world.folder, 'staged'), samples.Cades())
    const streamed = await signThrough(world, { profile: 'trusting', format: 'Cades' }, onceMore)
    const { stdout } = await openssl(['cms', '-verify', '-inform', 'DER', '-binary', '-noverify'], { input: streamed })
    expect(stdout).toEqual(samples.Cades())
  })

  test('with a PEM armour where the profile says so, in memory and as a stream', async () => {
    const world = await openSigningWorld({ seeds: [seed('pem', { Format: 'Cades', SaveAsPem: true })] })
    for (const staged of [inMemory(samples.Cades()), await onDisk(join(world.folder, 'staged'), samples.Cades())]) {
      const pem = (await signThrough(world, { profile: 'pem', format: 'Cades' }, staged)).toString()
      expect(pem).toMatch(/^-----BEGIN PKCS7-----\n[\s\S]+\n-----END PKCS7-----\n$/)
      const args = [
        'cms',
        '-verify',
        '-inform',
        'PEM',
        '-binary',
        '-CAfile',
        join(world.folder, 'roots.pem'),
        '-purpose',
        'any',
      ]
      expect((await openssl(args, { input: pem })).text).toContain('Verification successful')
    }
  })

  test('a PDF or XML above Pipeline:MaxDocumentBytes not at all, and says so', async () => {
    const world = await openSigningWorld({
      seeds: [seed('small')].map((one) => ({ ...one, Format: 'Pades' })),
      settings: { Pipeline: { MaxDocumentBytes: 1_048_576 } },
    })
    const large = inMemory(Buffer.alloc(1_048_577))
    for (const format of ['Pades', 'Xades'] as const) {
      const failure = await signThrough(world, { profile: 'small', format }, large).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(JobFailure)
      expect(failure).toMatchObject({ code: 'job.signing-failed', message: expect.stringContaining('1048576') })
    }
  })

  test('what is no PDF and no XML not as one', async () => {
    const world = await openSigningWorld({ seeds: [seed('any', { Format: 'Cades' })] })
    for (const format of ['Pades', 'Xades'] as const) {
      const signing = signThrough(world, { profile: 'any', format }, inMemory(Buffer.from('neither')))
      await expect(signing).rejects.toMatchObject({ code: 'job.signing-failed' })
    }
  })
})

describe('an encrypted output', () => {
  for (const [kind, label] of Object.entries(keys)) {
    test(`opens with the ${kind} key of the certificate it is for, by openssl`, async () => {
      const world = await openSigningWorld({
        seeds: [seed('sealed', { Format: 'Cades', EncryptionCertificateFiles: [`${label}.pem`] })],
      })
      const plan = world.profiles.plan({ profileName: 'sealed', format: 'Cades', encryptionRequested: null })
      expect(plan.encrypts).toBe(true)
      expect(plan.outputName('a.rem')).toBe('a.rem.p7m.enc')
      const enveloped = await signThrough(world, { profile: 'sealed', format: 'Cades' }, inMemory(samples.Cades()))
      await judges.Cades(await decrypted(world, label, enveloped), world.folder)
    })
  }

  test('of a large file is a stream, and the PEM text is what is wrapped', async () => {
    const world = await openSigningWorld({
      seeds: [seed('sealed', { Format: 'Cades', SaveAsPem: true, EncryptionCertificateFiles: ['ana-souza.pem'] })],
    })
    const staged = await onDisk(join(world.folder, 'staged'), samples.Cades())
    const opened = await decrypted(
      world,
      'ana-souza',
      await signThrough(world, { profile: 'sealed', format: 'Cades' }, staged),
    )
    expect(opened.toString()).toMatch(/^-----BEGIN PKCS7-----/)
  })

  test("goes to the host's certificates where the caller asks and the profile names none", async () => {
    const world = await openSigningWorld({
      seeds: [seed('plain', { Format: 'Cades' })],
      settings: { Encryption: { CertificateFiles: ['ana-souza.pem'] } },
    })
    const open = await signThrough(world, { profile: 'plain', format: 'Cades' }, inMemory(samples.Cades()))
    await judges.Cades(open, world.folder)
    const asked = { profile: 'plain', format: 'Cades', encrypted: true } as const
    const enveloped = await signThrough(world, asked, inMemory(samples.Cades()))
    await judges.Cades(await decrypted(world, 'ana-souza', enveloped), world.folder)
  })

  test('for nobody fails the job before the key is asked', async () => {
    const world = await openSigningWorld({ seeds: [seed('plain', { Format: 'Cades' })] })
    const planning = () => world.profiles.plan({ profileName: 'plain', format: 'Cades', encryptionRequested: true })
    expect(planning).toThrow(expect.objectContaining({ code: 'job.encryption-failed' }))
  })

  test('for a certificate that has expired holds the profile before the key is asked, until it has another', async () => {
    const world = await openSigningWorld({
      seeds: [seed('sealed', { Format: 'Cades', EncryptionCertificateFiles: ['expired.pem'] })],
    })
    const { profiles } = world
    const planning = () => profiles.plan({ profileName: 'sealed', format: 'Cades', encryptionRequested: null })
    expect(planning).toThrow(ProfileHeld)
    expect(planning).toThrow(
      expect.objectContaining({ condition: 'recipients-unusable', code: 'job.encryption-failed' }),
    )
    profiles.holds.begin('sealed', new ProfileHeld('recipients-unusable'))
    expect(await profiles.holds.tryNow('sealed')).toMatchObject({ reason: 'recipients-unusable' })
    const { version, ...profile } = profiles.get('sealed')!
    const encryptionCertificates = [readFileSync(join(world.folder, 'davi-moreira.pem'), 'utf8')]
    await profiles.edit('sealed', version, { draft: { ...profile, encryptionCertificates } }, 'operator')
    expect(await profiles.holds.tryNow('sealed')).toBeUndefined()
    expect(planning().encrypts).toBe(true)
  })

  test('asked for by one job alone, for a certificate that has expired, fails that job and holds nobody', async () => {
    const world = await openSigningWorld({
      seeds: [seed('plain', { Format: 'Cades' })],
      settings: { Encryption: { CertificateFiles: ['expired.pem'] } },
    })
    const planning = () => world.profiles.plan({ profileName: 'plain', format: 'Cades', encryptionRequested: true })
    expect(planning).toThrow(expect.objectContaining({ code: 'job.encryption-failed' }))
    expect(planning).not.toThrow(ProfileHeld)
  })

  async function decrypted(
    { pki, folder }: { pki: Awaited<ReturnType<typeof runningPki>>['pki']; folder: string },
    label: string,
    enveloped: Buffer,
  ): Promise<Buffer> {
    const { x509, key } = pki.certificate(label)
    const file = join(folder, 'recipient.pem')
    await writeFile(file, `${x509.toString()}${key.privateKey.export({ type: 'pkcs8', format: 'pem' })}`)
    await writeFile(join(folder, 'output.enc'), enveloped)
    const args = ['cms', '-decrypt', '-inform', 'DER', '-in', join(folder, 'output.enc'), '-recip', file, '-binary']
    const { ok, stdout, text } = await openssl(args)
    expect(ok, text).toBe(true)
    return stdout
  }
})

describe('the pre-sign validation', () => {
  const failing = async (label: string) => {
    const world = await openSigningWorld({ seeds: [seed('checked', { Format: 'Cades', Level: 'B-B' }, label)] })
    const plan = world.profiles.plan({ profileName: 'checked', format: 'Cades', encryptionRequested: null })
    return plan.validateCertificate(world.context.clock()).catch((error: unknown) => error)
  }

  test.each([
    ['revoked', /revoked the certificate/],
    ['expired', /has ended/],
    ['under-unknown-root', /does not trust/],
  ])('refuses a certificate that is %s', async (label, sentence) => {
    const failure = await failing(label)
    expect(failure).toBeInstanceOf(JobFailure)
    expect(failure).toMatchObject({ code: 'job.certificate-invalid', message: expect.stringMatching(sentence) })
  })

  test('left out, an untrusted certificate signs and its signature verifies', async () => {
    const world = await openSigningWorld({
      seeds: [seed('trusting', { Format: 'Pades', ValidateCertificate: false }, 'under-unknown-root')],
    })
    const signed = await signThrough(world, { profile: 'trusting', format: 'Pades' }, inMemory(samplePdf('a document')))
    await judges.Pades(signed, world.folder)
  })
})

describe('without verification', () => {
  test('a PDF is the original followed by what was appended', async () => {
    const world = await openSigningWorld({ seeds: [seed('quick', { Format: 'Pades', Verify: false })] })
    const plan = world.profiles.plan({ profileName: 'quick', format: 'Pades', encryptionRequested: null })
    const original = samplePdf('a document')
    const now = world.context.clock()
    const signed = await plan.sign(inMemory(original), now, async () => temporaryFolder())
    const output = (await signed.output(now)) as readonly Uint8Array[]
    expect(output[0]).toBe(original)
    await judges.Pades(Buffer.concat(output), world.folder)
    await signed.verify(now)
  })
})

describe('the verification', () => {
  /** One byte changed inside what every format signs: near the start of the file, or of its content. */
  const changed = (signed: Buffer, format: SignatureFormat): Buffer => {
    const copy = Buffer.from(signed)
    const at = { Pades: 700, Cades: signed.indexOf(samples.Cades()) + 3, Xades: signed.indexOf('queijo') }[format]
    copy[at]! ^= 1
    return copy
  }

  for (const format of ['Pades', 'Cades', 'Xades'] as const) {
    test.each(['AD-RB', 'B-T'] as const)(
      `refuses ${format} %s with a changed byte, an early end, another certificate or another level`,
      async (level) => {
        const { baseUrl, pki } = await runningPki()
        const world = await openSigningWorld({
          seeds: [seed('made', { Format: format, Level: level, TimestampAuthority: `${baseUrl}/tsa` })],
        })
        const now = world.context.clock()
        const signed = await signThrough(world, { profile: 'made', format }, inMemory(samples[format]()))
        const [certificate, ...chain] = pki
          .chainOf(pki.certificate('ana-souza'))
          .map(({ der }) => Certificate.read(der)) as [Certificate, ...Certificate[]]
        const asked = { format, level, certificate, chain, now }
        const refused = { code: 'job.verification-failed' }
        await expect(checkSignature(changed(signed, format), asked)).rejects.toMatchObject(refused)
        await expect(checkSignature(signed.subarray(0, -9), asked)).rejects.toMatchObject(refused)
        const another = Certificate.read(pki.certificate('davi-moreira').der)
        await expect(checkSignature(signed, { ...asked, certificate: another })).rejects.toMatchObject(refused)
        const other = level === 'B-T' ? 'B-B' : 'AD-RT'
        const failure: JobFailure = await checkSignature(signed, { ...asked, level: other }).catch((error) => error)
        expect(failure).toMatchObject(refused)
        // The engine's words in the reader's language, in the error and in the history.
        const { told } = failure.said
        const found =
          /^A assinatura feita não passou na verificação\. A validação encontrou: (O|A|Os|As|Um|Uma|Não|Há) /
        expect(toldIn('pt-BR', failure.message, told)).toMatch(found)
        expect(failure.lines.map((line) => toldIn('pt-BR', line.text, line.told)).join(' ')).toMatch(
          /^(O|A|Os|As|Um|Uma|Não|Há) /,
        )
        expect(failure.message).toContain(`The validation found: ${failure.lines.map(({ text }) => text).join(' ')}`)
      },
    )
  }

  test('refuses a large file on disk with a changed byte', async () => {
    const world = await openSigningWorld({ seeds: [seed('made', { Format: 'Cades' })] })
    const now = world.context.clock()
    const plan = world.profiles.plan({ profileName: 'made', format: 'Cades', encryptionRequested: null })
    const staged = await onDisk(join(world.folder, 'staged'), Buffer.alloc(300_000, 'content '))
    const scratch = join(world.folder, 'scratch')
    const signed = await plan.sign(staged, now, async () => scratch)
    await signed.verify(now)
    const bytes = await readFile(scratch)
    bytes[150_000]! ^= 1
    await writeFile(scratch, bytes)
    await expect(signed.verify(now)).rejects.toMatchObject({ code: 'job.verification-failed' })
  })

  test('is not needed to see that a staged copy is no longer what was staged', async () => {
    const world = await openSigningWorld({ seeds: [seed('made', { Format: 'Cades' })] })
    for (const format of ['Cades', 'Pades'] as const) {
      const staged = await onDisk(join(world.folder, 'staged'), samplePdf('a document'))
      await writeFile(join(world.folder, 'staged'), samplePdf('a document', 5_000))
      const signing = signThrough(world, { profile: 'made', format }, staged)
      await expect(signing).rejects.toMatchObject({ code: expect.stringMatching(/^job\.(storage|signing)-failed$/) })
    }
  })
})
