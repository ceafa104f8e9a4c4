import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { readZip } from '../zip/zip-reader.ts'
import { type NewZipFile, updateZip, writeZip } from '../zip/zip-writer.ts'
import {
  type AsicFile,
  addAsicSignature,
  completeAsic,
  extendAsic,
  prepareAsic,
  prepareAsicSignature,
  signAsic,
  timestampAsic,
  validateAsic,
} from './index.ts'
import { manifestText } from './manifest.ts'
import { fileIn, opensslVerifiesIn, opensslVerifiesToken, unpacked, xmlsecVerifiesIn } from './test-support/judges.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

const minutes = {
  name: 'ata da assembleia.txt',
  content: Buffer.from('Ata da assembleia geral ordinária.\r\n'),
  mimeType: 'text/plain',
}
const list = { name: 'anexos/presença.csv', content: Buffer.from('nome;cpf\n') }
const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now })
const validated = (container: Uint8Array) => validateAsic(container, { judge: demo.judge, now: new Date() })
const codeOf = (code: string) => expect.objectContaining({ code })
const namesIn = (container: Uint8Array) => readZip(container).entries.map(({ name }) => name)
const entryOf = (container: Uint8Array, name: string) =>
  readZip(container).entries.find((entry) => entry.name === name)!

/** Every way files and signatures can be put together. */
const kinds = {
  'ASiC-S with CAdES': { files: [minutes], options: {}, form: 'ASiC-S', paths: ['META-INF/signature.p7s'] },
  'ASiC-S with XAdES': {
    files: [minutes],
    options: { signature: 'XAdES' },
    form: 'ASiC-S',
    paths: ['META-INF/signatures.xml'],
  },
  'ASiC-E with CAdES': {
    files: [minutes, list],
    options: {},
    form: 'ASiC-E',
    paths: ['META-INF/ASiCManifest001.xml', 'META-INF/signature001.p7s'],
  },
  'ASiC-E with XAdES': {
    files: [minutes, list],
    options: { signature: 'XAdES' },
    form: 'ASiC-E',
    paths: ['META-INF/signatures001.xml'],
  },
} as const

type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]
const signed = async (kind: Kind, more: object = {}) =>
  signAsic(kinds[kind].files as readonly AsicFile[], await demo.signer(), { now, ...kinds[kind].options, ...more })

/** The judges that are not ours, on what is inside. */
async function othersAccept(container: Uint8Array, kind: Kind): Promise<void> {
  const folder = await unpacked(container, demo.root)
  const { files, paths } = kinds[kind]
  for (const { name, content } of files) expect(fileIn(folder, name).equals(content)).toBe(true)
  const path = paths.at(-1)!
  const content = paths.length === 2 ? paths[0]! : files[0].name
  const { ok, text } = path.endsWith('.xml')
    ? await xmlsecVerifiesIn(folder, path)
    : await opensslVerifiesIn(folder, path, content)
  expect(ok, text).toBe(true)
}

describe.each(kindNames)('a container %s', (kind) => {
  it('is valid for us and for the judges of what is inside, and starts with its type', async () => {
    const container = await signed(kind)
    const { form, files, paths } = kinds[kind]
    expect(namesIn(container)).toEqual(['mimetype', ...files.map(({ name }) => name), ...paths])
    const type = `mimetypeapplication/vnd.etsi.asic-${form.at(-1)!.toLowerCase()}+zip`
    expect(container.toString('latin1', 30, 30 + type.length)).toBe(type)
    const report = await validated(container)
    expect(report).toMatchObject({ format: form, indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([{ level: 'B-B', findings: [], coverage: { wholeDocument: true } }])
    await othersAccept(container, kind)
  })

  it('is signed by a key elsewhere', async () => {
    const signer = await demo.signer('P-256')
    const secret = Buffer.alloc(32, 1)
    const { files, options } = kinds[kind]
    const { toSign, digest, algorithm, state } = prepareAsic(files, signer.certificate, {
      now,
      chain: signer.chain,
      ...options,
    })
    const signature = await signer.sign({ toSign, digest, algorithm })
    const container = completeAsic(openState(sealState(state, secret), secret), signature)
    expect((await validated(container)).indication).toBe('valid')
    expect(() => completeAsic(state, Buffer.alloc(64))).toThrow(codeOf('signing.wrong-signature'))
  })

  it('gets a second signature, and the first keeps every byte and its verdict', async () => {
    const first = await signed(kind)
    const both = await addAsicSignature(first, demo.holder('bruno-lima'), { ...helpers(), level: 'B-T' })
    const report = await validated(both)
    expect(report).toMatchObject({ indication: 'valid', findings: [] })
    expect(report.signatures.map(({ level }) => level).toSorted()).toEqual(['B-B', 'B-T'])
    expect(new Set(report.signatures.map(({ signer }) => signer?.name)).size).toBe(2)
    expect(new Set(report.signatures.map(({ name }) => name)).size).toBe(2)
    for (const { name, content } of kinds[kind].files) expect(entryOf(both, name).content.equals(content)).toBe(true)
    await othersAccept(both, kind)
    if (kind === 'ASiC-S with XAdES') {
      const { ok, text } = await xmlsecVerifiesIn(await unpacked(both, demo.root), 'META-INF/signatures.xml', 2)
      expect(ok, text).toBe(true)
    }
  })

  it.each(['B-T', 'B-LT', 'AD-RT'] as const)('reaches %s', async (level) => {
    const container = await signed(kind, { ...helpers(), level })
    const report = await validated(container)
    expect(report).toMatchObject({ indication: 'valid', signatures: [{ level, provenTime: { by: 'timestamp' } }] })
    await othersAccept(container, kind)
  })

  it('reaches the level for archives where its archive timestamp covers the files', async () => {
    const container = await signed(kind, { ...helpers(), level: 'B-LTA' })
    const { indication, signatures } = await validated(container)
    expect(indication).toBe('valid')
    expect(signatures[0]).toMatchObject({ kind: 'signature', level: 'B-LTA' })
    await othersAccept(container, kind)
    const renewed = await validated(await extendAsic(container, { ...helpers(), level: 'B-LTA' }))
    expect(renewed.indication).toBe('valid')
    expect(renewed.signatures[0]).toMatchObject({ kind: 'signature', level: 'B-LTA' })
  })

  it('is extended later, all its signatures at once', async () => {
    const both = await addAsicSignature(await signed(kind), demo.holder('bruno-lima'), { now })
    const extended = await extendAsic(both, { ...helpers(), level: 'B-LT' })
    const report = await validated(extended)
    expect(report).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-LT' }, { level: 'B-LT' }] })
  })

  it('of which a signed file was changed is invalid', async () => {
    const container = await signed(kind)
    const { name } = kinds[kind].files.at(-1)!
    const changed = updateZip(readZip(container), [{ name, content: Buffer.from('changed') }], now)
    const report = await validated(changed)
    expect(report.indication).toBe('invalid')
    expect(report.signatures[0]).toMatchObject({ indication: 'invalid', integrity: { content: { state: 'failed' } } })
    expect(report.signatures[0]!.findings).toContainEqual(codeOf('content-changed'))
  })

  it('of which a signed file is gone is not valid, and nothing is said to have changed', async () => {
    const { entries, comment } = readZip(await signed(kind))
    const { name } = kinds[kind].files.at(-1)!
    const without = updateZip({ entries: entries.filter((entry) => entry.name !== name), comment }, [], now)
    const report = await validated(without)
    expect(report.indication).not.toBe('valid')
    expect(report.signatures[0]).toMatchObject({
      indication: 'indeterminate',
      integrity: { content: { state: 'not-checked' } },
    })
    expect(report.signatures[0]!.findings).toContainEqual(codeOf('content-missing'))
  })

  it('with a file that nobody signed is not valid, and the file is named', async () => {
    const container = await signed(kind)
    const added = updateZip(readZip(container), [{ name: 'more.txt', content: Buffer.from('more') }], now)
    const report = await validated(added)
    expect(report.indication).not.toBe('valid')
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'asic.file-uncovered', details: { file: 'more.txt' } }),
    )
  })

  it('whose signature was damaged is not valid', async () => {
    const container = await signed(kind)
    const path = kinds[kind].paths.at(-1)!
    const damaged = Buffer.from(entryOf(container, path).content)
    damaged[20]! ^= 1
    const report = await validated(updateZip(readZip(container), [{ name: path, content: damaged }], now))
    expect(report.indication).not.toBe('valid')
  })
})

describe('a timestamp instead of a signature', () => {
  test('proves when one file existed', async () => {
    const container = await timestampAsic([minutes], { now, timestamps: demo.timestamps })
    expect(namesIn(container)).toEqual(['mimetype', minutes.name, 'META-INF/timestamp.tst'])
    const report = await validated(container)
    expect(report).toMatchObject({ format: 'ASiC-S', indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([{ kind: 'document-timestamp', provenTime: { by: 'timestamp' } }])
    const folder = await unpacked(container, demo.root)
    const { ok, text } = await opensslVerifiesToken(folder, 'META-INF/timestamp.tst', minutes.name)
    expect(ok, text).toBe(true)
  })

  test('proves when several did, through a manifest', async () => {
    const container = await timestampAsic([minutes, list], { now, timestamps: demo.timestamps })
    expect(await validated(container)).toMatchObject({ format: 'ASiC-E', indication: 'valid', findings: [] })
    const folder = await unpacked(container, demo.root)
    const { ok, text } = await opensslVerifiesToken(folder, 'META-INF/timestamp001.tst', 'META-INF/ASiCManifest001.xml')
    expect(ok, text).toBe(true)
    const changed = updateZip(readZip(container), [{ ...list, content: Buffer.from('x') }], now)
    expect((await validated(changed)).indication).toBe('invalid')
  })
})

describe('a manifest', () => {
  /** The container with this text of its manifest replaced. */
  const withManifest = (container: Buffer, from: string | RegExp, to: string) => {
    const { name, content } = entryOf(container, 'META-INF/ASiCManifest001.xml')
    return updateZip(readZip(container), [{ name, content: Buffer.from(content.toString().replace(from, to)) }], now)
  }

  test('that was changed to let a file go is found by its signature', async () => {
    const container = await signed('ASiC-E with CAdES')
    const changed = withManifest(container, /<asic:DataObjectReference URI="anexos.*<\/asic:DataObjectReference>/, '')
    const report = await validated(changed)
    expect(report).toMatchObject({ indication: 'invalid', signatures: [{ indication: 'invalid' }] })
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'asic.file-uncovered', details: { file: list.name } }),
    )
  })

  test('over a whole container, with a timestamp, is judged as an archive of its signatures', async () => {
    const container = await signed('ASiC-E with CAdES')
    const all = readZip(container).entries.filter(({ name }) => name !== 'mimetype')
    const path = 'META-INF/timestamp009.tst'
    const archive = manifestText(all, { name: path, mimeType: 'application/vnd.etsi.timestamp-token' }, 'sha256')
    const { token } = await demo.timestamps.stampDigest('sha256', createHash('sha256').update(archive).digest())
    const added = [
      { name: 'META-INF/ASiCArchiveManifest.xml', content: archive },
      { name: path, content: token },
    ]
    const archived = updateZip(readZip(container), added, now)
    const report = await validated(archived)
    expect(report).toMatchObject({ indication: 'valid', findings: [] })
    expect(report.signatures).toMatchObject([{ kind: 'signature' }, { kind: 'document-timestamp', name: path }])
    const { name, content } = entryOf(archived, 'META-INF/signature001.p7s')
    const changed = updateZip(readZip(archived), [{ name, content: Buffer.concat([content, Buffer.from('x')]) }], now)
    const findings = (await validated(changed)).signatures.flatMap((one) => one.findings)
    expect(findings).toContainEqual(expect.objectContaining({ code: 'content-changed', details: { uri: name } }))
  })

  test('that cannot be read, or whose signature is gone, is told', async () => {
    const container = await signed('ASiC-E with CAdES')
    const unreadable = await validated(withManifest(container, 'ASiCManifest', 'Other'))
    expect(unreadable).toMatchObject({ indication: 'invalid' })
    expect(unreadable.findings).toContainEqual(codeOf('structure-malformed'))
    const { entries, comment } = readZip(await addAsicSignature(container, demo.holder('bruno-lima'), { now }))
    const alone = updateZip(
      { entries: entries.filter(({ name }) => name !== 'META-INF/signature002.p7s'), comment },
      [],
      now,
    )
    const report = await validated(alone)
    expect(report).toMatchObject({ indication: 'invalid', signatures: [{ indication: 'valid' }] })
    expect(report.findings).toContainEqual(codeOf('asic.signature-lost'))
  })

  test('with an unknown digest leaves the file open, and does not call it changed', async () => {
    const changed = withManifest(await signed('ASiC-E with CAdES'), /xmlenc#sha256/g, 'xmlenc#sha257')
    const { signatures } = await validated(changed)
    expect(signatures[0]!.findings.map(({ code }) => code)).toContain('algorithm-unknown')
  })

  test('is not there: the signature is over nothing that is known', async () => {
    const { entries, comment } = readZip(await signed('ASiC-E with CAdES'))
    const without = updateZip({ entries: entries.filter(({ name }) => !name.includes('Manifest')), comment }, [], now)
    const report = await validated(without)
    expect(report).toMatchObject({ indication: 'indeterminate', signatures: [{ indication: 'indeterminate' }] })
    expect(report.findings.filter(({ code }) => code === 'asic.file-uncovered')).toHaveLength(2)
  })
})

describe('an archive', () => {
  const remade = (files: readonly NewZipFile[]) => writeZip(files, now)
  const filesOf = (entries: readonly ZipEntry[]): NewZipFile[] =>
    entries.map(({ name, content }) => ({ name, content }))

  test('without mimetype, or with one that is compressed or not first, is read by what it holds and told', async () => {
    const entries = filesOf(readZip(await signed('ASiC-S with CAdES')).entries)
    for (const files of [entries.slice(1), entries.toReversed()]) {
      const report = await validated(remade(files))
      expect(report).toMatchObject({ format: 'ASiC-S', indication: 'valid' })
      expect(report.findings).toContainEqual(codeOf('asic.mimetype'))
    }
  })

  test('of the form ASiC-S with two files is not believed', async () => {
    const entries = filesOf(readZip(await signed('ASiC-S with CAdES')).entries)
    const report = await validated(remade([...entries, list]))
    expect(report.indication).toBe('invalid')
    expect(report.findings).toContainEqual(codeOf('asic.data-files'))
  })

  test('with nothing signed has no signature; one that is no container is refused', async () => {
    const mimetype = { name: 'mimetype', content: Buffer.from('application/vnd.etsi.asic-e+zip'), stored: true }
    const report = await validated(remade([mimetype, minutes]))
    expect(report).toMatchObject({ indication: 'indeterminate', signatures: [] })
    expect(report.findings).toContainEqual(codeOf('no-signature'))
    await expect(validated(remade([minutes]))).rejects.toThrow(codeOf('asic.no-container'))
    await expect(validated(remade([{ ...mimetype, content: Buffer.from('application/epub+zip') }]))).rejects.toThrow(
      codeOf('asic.no-container'),
    )
    await expect(validated(Buffer.from('PK'))).rejects.toThrow(codeOf('asic.no-container'))
  })

  test('that can be read in two ways is refused', async () => {
    const container = await signed('ASiC-S with CAdES')
    const renamed = Buffer.from(container)
    renamed[renamed.indexOf('ata da')] = 0x62
    await expect(validated(renamed)).rejects.toThrow(codeOf('zip.ambiguous'))
  })
})

describe('signing is refused', () => {
  const sign = async (files: readonly AsicFile[], options: object = {}) =>
    signAsic(files, await demo.signer(), { now, ...options })

  test.each<[string, readonly AsicFile[], object, string]>([
    ['without files', [], {}, 'asic.no-files'],
    ['of two files as ASiC-S', [minutes, list], { form: 'ASiC-S' }, 'asic.one-file'],
    ['of a file in META-INF', [{ ...minutes, name: 'meta-inf/x' }], {}, 'asic.name-unusable'],
    ['of a file named mimetype', [{ ...minutes, name: 'mimetype' }], {}, 'asic.name-unusable'],
    ['of a file above the container', [{ ...minutes, name: '../x' }], { form: 'ASiC-E' }, 'zip.unsafe-name'],
    ['of two files of one name', [minutes, minutes], {}, 'zip.duplicate-name'],
    ['at a level without its timestamps', [minutes], { level: 'B-T' }, 'cades.timestamps-needed'],
  ])('%s', async (_what, files, options, code) => {
    await expect(sign(files, options)).rejects.toThrow(codeOf(code))
  })

  test('where there is no signature to add to', async () => {
    const stamped = await timestampAsic([minutes], { now, timestamps: demo.timestamps })
    const { certificate } = await demo.signer()
    expect(() => prepareAsicSignature(stamped, certificate, { now })).toThrow(codeOf('asic.no-signature'))
  })
})
