import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { readZip } from '../zip/zip-reader.ts'
import { type NewZipFile, updateZip } from '../zip/zip-writer.ts'
import { addAsicSignature, extendAsic, signAsic, timestampAsic, validateAsic } from './index.ts'
import { manifestText } from './manifest.ts'
import { fileIn, opensslVerifiesIn, opensslVerifiesToken, unpacked } from './test-support/judges.ts'

const files = [
  { name: 'ata da assembleia.txt', content: Buffer.from('Ata da assembleia geral ordinária.\r\n') },
  { name: 'anexos/presença.csv', content: Buffer.from('nome;cpf\n') },
]
const NEWEST = 'META-INF/ASiCArchiveManifest.xml'
const OLDER = 'META-INF/ASiCArchiveManifest001.xml'

const start = new Date()
let now = start
let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now })
const archived = async () => signAsic(files, await demo.signer(), { ...helpers(), level: 'B-LTA' })
const renewed = (container: Uint8Array) => extendAsic(container, { ...helpers(), level: 'B-LTA' })
const validated = (container: Uint8Array) => validateAsic(container, { judge: demo.judge, now: new Date(now) })
const codeOf = (code: string) => expect.objectContaining({ code })
const entriesOf = (container: Uint8Array) => readZip(container).entries
const contentOf = (container: Uint8Array, path: string) =>
  entriesOf(container).find(({ name }) => name === path)!.content
const withFiles = (container: Uint8Array, ...added: NewZipFile[]) => updateZip(readZip(container), added, now)
const without = (container: Uint8Array, path: string) => {
  const archive = readZip(container)
  return updateZip({ ...archive, entries: archive.entries.filter(({ name }) => name !== path) }, [], now)
}
const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('base64')

/** The container with an archive manifest of ours over these files, whatever else it has. */
async function stamped(container: Uint8Array, over: readonly string[], path = 'META-INF/timestamp009.tst') {
  const listed = entriesOf(container).filter(({ name }) => over.includes(name))
  const content = manifestText(listed, { name: path, mimeType: 'application/vnd.etsi.timestamp-token' }, 'sha256')
  const { token } = await demo.timestamps.stampDigest('sha256', createHash('sha256').update(content).digest())
  return withFiles(container, { name: NEWEST, content }, { name: path, content: token })
}

describe('an ASiC-E with CAdES signatures at B-LTA', () => {
  it('has a manifest of every file with its digest, and a timestamp over it that openssl accepts', async () => {
    const container = await archived()
    expect(entriesOf(container).map(({ name }) => name)).toEqual([
      'mimetype',
      ...files.map(({ name }) => name),
      'META-INF/ASiCManifest001.xml',
      'META-INF/signature001.p7s',
      NEWEST,
      'META-INF/timestamp001.tst',
    ])
    const folder = await unpacked(container, demo.root)
    const manifest = fileIn(folder, NEWEST).toString()
    for (const { name, content } of entriesOf(container).slice(1, 5))
      expect(manifest).toMatch(
        new RegExp(`URI="${encodeURI(name)}"><ds:DigestMethod [^>]*sha256"/><ds:DigestValue>${base64(content)}<`),
      )
    expect(manifest).not.toContain('Rootfile')
    const token = await opensslVerifiesToken(folder, 'META-INF/timestamp001.tst', NEWEST)
    expect(token.ok, token.text).toBe(true)
    const cms = await opensslVerifiesIn(folder, 'META-INF/signature001.p7s', 'META-INF/ASiCManifest001.xml')
    expect(cms.ok, cms.text).toBe(true)
    const report = await validated(container)
    expect(report).toMatchObject({ indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([
      { kind: 'signature', level: 'B-LTA', provenTime: { by: 'timestamp' } },
      { kind: 'document-timestamp', name: 'META-INF/timestamp001.tst' },
    ])
  })

  it('is renewed by a further manifest, which names the last one as its root; nothing archived changes', async () => {
    const container = await archived()
    const again = await renewed(container)
    expect(contentOf(again, OLDER).equals(contentOf(container, NEWEST))).toBe(true)
    const signature = 'META-INF/signature001.p7s'
    expect(contentOf(again, signature).equals(contentOf(container, signature))).toBe(true)
    const manifest = contentOf(again, NEWEST).toString()
    expect(manifest.match(/URI="[^"]*" Rootfile="true"/g)).toEqual([`URI="${OLDER}" Rootfile="true"`])
    expect(manifest).toContain(digestOf(contentOf(again, 'META-INF/timestamp001.tst')))
    const folder = await unpacked(again, demo.root)
    const token = await opensslVerifiesToken(folder, 'META-INF/timestamp002.tst', NEWEST)
    expect(token.ok, token.text).toBe(true)
    const report = await validated(again)
    expect(report).toMatchObject({ indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([{ level: 'B-LTA' }, { indication: 'valid' }, { indication: 'valid' }])
    expect((await validated(await renewed(again))).indication).toBe('valid')
  })

  it('gets another signature, which is archived too', async () => {
    const both = await addAsicSignature(await archived(), demo.holder('bruno-lima'), { ...helpers(), level: 'B-LTA' })
    const { indication, signatures } = await validated(both)
    expect(indication).toBe('valid')
    expect(signatures.map(({ level }) => level)).toEqual(['B-LTA', 'B-LTA', 'none', 'none'])
  })

  it('brings every signature to B-LT before it is archived', async () => {
    const basic = await signAsic(files, await demo.signer(), { now })
    const both = await addAsicSignature(basic, demo.holder('bruno-lima'), { ...helpers(), level: 'B-LTA' })
    const { signatures } = await validated(both)
    expect(signatures.slice(0, 2).map(({ level }) => level)).toEqual(['B-LTA', 'B-LTA'])
  })

  it('lets no archived signature grow, and has no AD-RA', async () => {
    const container = await archived()
    await expect(extendAsic(container, { ...helpers(), level: 'B-LT' })).rejects.toThrow(codeOf('asic.archived'))
    await expect(extendAsic(container, { ...helpers(), level: 'AD-RA' })).rejects.toThrow(
      codeOf('asic.level-unavailable'),
    )
    await expect(extendAsic(container, { timestamps: demo.timestamps, now, level: 'B-LTA' })).rejects.toThrow(
      codeOf('cades.judge-needed'),
    )
  })
})

describe('an archive manifest', () => {
  it('that lists another digest of the signature is told, and archives nothing', async () => {
    const container = await archived()
    const right = digestOf(contentOf(container, 'META-INF/signature001.p7s'))
    const other = contentOf(container, NEWEST)
      .toString()
      .replace(right, digestOf(Buffer.from('x')))
    const report = await validated(withFiles(container, { name: NEWEST, content: Buffer.from(other) }))
    expect(report.indication).toBe('invalid')
    expect(report.signatures).toMatchObject([
      { kind: 'signature', level: 'B-LT', indication: 'valid' },
      { kind: 'document-timestamp', indication: 'invalid', integrity: { content: { state: 'failed' } } },
    ])
  })

  it('over a signature that grew since is told', async () => {
    const container = await archived()
    const path = 'META-INF/signature001.p7s'
    const longer = Buffer.concat([contentOf(container, path), Buffer.of(0)])
    const { signatures } = await validated(withFiles(container, { name: path, content: longer }))
    expect(signatures[1]!.findings).toContainEqual(expect.objectContaining({ details: { uri: path } }))
  })

  it('whose timestamp is gone, or that is gone itself, leaves the level without archive', async () => {
    const container = await archived()
    const lost = await validated(without(container, 'META-INF/timestamp001.tst'))
    expect(lost).toMatchObject({ indication: 'invalid', signatures: [{ level: 'B-LT' }] })
    expect(lost.findings).toContainEqual(codeOf('asic.signature-lost'))
    const bare = await validated(without(container, NEWEST))
    expect(bare.indication).not.toBe('valid')
    expect(bare.signatures[0]).toMatchObject({ level: 'B-LT' })
  })

  it.each([
    ['the signature', 'META-INF/signature001.p7s'],
    ['the manifest of the signature', 'META-INF/ASiCManifest001.xml'],
    ['a signed file', 'anexos/presença.csv'],
  ])('that does not list %s archives no signature', async (_what, path) => {
    const container = await signAsic(files, await demo.signer(), { ...helpers(), level: 'B-LT' })
    const all = entriesOf(container).map(({ name }) => name)
    const whole = await validated(await stamped(container, all))
    expect(whole.signatures[0]).toMatchObject({ level: 'B-LTA' })
    const partly = await validated(
      await stamped(
        container,
        all.filter((name) => name !== path),
      ),
    )
    expect(partly.signatures).toMatchObject([{ level: 'B-LT' }, { indication: 'valid' }])
  })

  it('over a file that nobody signed does not make it a signed one', async () => {
    const more = withFiles(await archived(), { name: 'mais.txt', content: Buffer.from('mais') })
    const report = await validated(await renewed(more))
    expect(report.indication).toBe('indeterminate')
    expect(report.findings).toContainEqual(expect.objectContaining({ details: { file: 'mais.txt' } }))
  })

  it('of an ASiC-S is over its manifest, not over the file', async () => {
    const container = await signAsic([files[0]!], await demo.signer(), { ...helpers(), level: 'B-LT' })
    const report = await validated(await stamped(container, [files[0]!.name, 'META-INF/signature.p7s']))
    expect(report).toMatchObject({ format: 'ASiC-S', indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([{ level: 'B-LTA' }, { kind: 'document-timestamp' }])
  })
})

describe('after years', () => {
  let ofToday: DemoSigners
  beforeAll(async () => {
    ofToday = demo
    demo = await startDemoSigners(() => now)
  })
  afterAll(async () => {
    await demo.stop()
    demo = ofToday
    now = start
  })

  it('signatures and timestamps hold that were archived in time', async () => {
    const inYears = (years: number) => new Date(start.getTime() + years * 365 * 24 * 3_600_000)
    let signed = await archived()
    const left = await signAsic(files, await demo.signer(), { now })
    let alone = await timestampAsic(files, { now, timestamps: demo.timestamps })
    for (const years of [2, 4]) {
      now = inYears(years)
      signed = await renewed(signed)
      alone = await renewed(alone)
    }
    now = inYears(4.5)
    const report = await validated(signed)
    expect(report.signatures).toMatchObject([
      { level: 'B-LTA', indication: 'valid', provenTime: { by: 'timestamp' } },
      { indication: 'valid' },
      { indication: 'valid' },
      { indication: 'valid' },
    ])
    expect(report.signatures[0]!.provenTime.time.getTime()).toBeLessThan(inYears(0.1).getTime())
    expect(await validated(alone)).toMatchObject({ indication: 'valid', findings: [] })
    expect((await validated(left)).indication).toBe('indeterminate')
  })
})

/** For a regular expression. */
const base64 = (content: Uint8Array) => digestOf(content).replace(/[+]/g, '\\+')
