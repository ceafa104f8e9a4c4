// Files as they come, and what the command says of each: one row for each odd input. Elsewhere are: named pipes
// (processes.test.ts), files of any size (the engine's pades-files.test.ts), PDF/A (the engine's tests of marks).
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EngineErrorCode, engineErrorCodes } from '@chancela/signature-engine'
import { isOneLine } from '@chancela/signature-engine/text'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { plainPdf } from './test-support/plain-pdf.ts'
import { cli } from './test-support/run-cli.ts'

let demo: RunningDemoPki
let key: string[]
let trust: string[]
let certified: Readonly<Record<'no-changes' | 'form-filling', Buffer>>

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  const folder = temporaryFolder()
  const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' }, { key: 'P-256' })
  writeFileSync(join(folder, 'maria.p12'), demo.pki.pkcs12(maria, { password: 'segredo' }))
  writeFileSync(join(folder, 'roots.pem'), demo.pki.trustAnchors())
  key = ['--pkcs12', join(folder, 'maria.p12'), '--password', 'segredo']
  trust = ['--trust', join(folder, 'roots.pem'), '--data', join(folder, 'no-data')]
  const contract = join(folder, 'contract.pdf')
  writeFileSync(contract, samplePdf('A contract'))
  const certifiedFor = async (changes: string): Promise<Buffer> => {
    const out = join(folder, `${changes}.pdf`)
    expect((await cli(['sign', contract, '--out', out, '--certify', changes, ...key])).code).toBe(exitCodes.done)
    return readFileSync(out)
  }
  certified = {
    'no-changes': await certifiedFor('no-changes'),
    'form-filling': await certifiedFor('form-filling'),
  }
})
afterAll(() => demo.stop())

/** A path in a folder of its own, with this content. */
function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

const sentences: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(engineErrorCodes))

/** The longest piece of an error's sentence that is the same whatever its details are. */
const said = (code: EngineErrorCode): string =>
  sentences[code]!.split(/\{\w+\}/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest))

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const order = (declaration: string): string => `<?xml ${declaration}?>\n<order><item>S\u00e3o Paulo</item></order>\n`
const XFA = '/AcroForm << /Fields [] /XFA (x) >> '

describe('is signed, and verified afterwards', () => {
  const rows: readonly (readonly [what: string, name: string, content: () => Uint8Array | string])[] = [
    ['XML in ISO-8859-1', 'order.xml', () => latin(order('version="1.0" encoding="ISO-8859-1"'))],
    ['XML in windows-1252', 'order.xml', () => latin(order('version="1.0" encoding="windows-1252"'))],
    ['XML in UTF-16', 'order.xml', () => Buffer.from(`\ufeff${order('version="1.0" encoding="UTF-16"')}`, 'utf16le')],
    ['XML in UTF-8 with a byte order mark', 'order.xml', () => `\ufeff${order('version="1.0"')}`],
    ['an empty text', 'empty.txt', () => ''],
    ['a form with static XFA', 'form.pdf', () => plainPdf('A form', XFA)],
  ]

  test.each(rows)('%s', async (_what, name, content) => {
    const path = fileOf(name, content())
    const signed = await cli(['sign', path, ...key])
    expect(signed).toMatchObject({ code: exitCodes.done })
    expect(await cli(['verify', signed.out, ...trust])).toMatchObject({ code: exitCodes.done })
    if (name.endsWith('.pdf')) expect((await runTool('pdfsig', ['-nocert', signed.out])).text).toContain('is Valid')
  })

  test('a PDF that is encrypted without a password of its users', async () => {
    const [plain, encrypted] = [fileOf('plain.pdf', samplePdf('Not to be printed')), fileOf('encrypted.pdf', '')]
    await runTool('qpdf', ['--encrypt', '', 'owner', '256', '--print=none', '--', plain, encrypted])
    const signed = await cli(['sign', encrypted, ...key])
    expect(signed).toMatchObject({ code: exitCodes.done })
    expect(await cli(['verify', signed.out, ...trust])).toMatchObject({ code: exitCodes.done })
    expect((await runTool('pdfsig', ['-nocert', signed.out])).text).toContain('is Valid')
  })

  test('what a link leads to', async () => {
    const link = join(temporaryFolder(), 'link.txt')
    symlinkSync(fileOf('notes.txt', 'minutes'), link)
    expect(await cli(['sign', link, ...key])).toMatchObject({ code: exitCodes.done, out: `${link}.p7m` })
  })
})

describe('is not signed, and the reason named', () => {
  const rows: readonly (readonly [
    what: string,
    name: string,
    content: () => Uint8Array | string,
    EngineErrorCode,
    options?: readonly string[],
  ])[] = [
    ['XML with a document type', 'order.xml', () => '<!DOCTYPE order [<!ENTITY a "b">]><order/>', 'xml.doctype'],
    ['XML 1.1', 'order.xml', () => order('version="1.1"'), 'xml.version-unsupported'],
    ['an empty PDF', 'empty.pdf', () => '', 'pdf.not-a-pdf'],
    ['an empty XML', 'empty.xml', () => '', 'xml.ended-early'],
    ['a form with dynamic XFA', 'form.pdf', () => plainPdf('A form', `/NeedsRendering true ${XFA}`), 'pdf.xfa-dynamic'],
    [
      'bytes before the PDF',
      'contract.pdf',
      () => Buffer.concat([latin('junk\n'), samplePdf('A contract')]),
      'pdf.junk-before-header',
    ],
    [
      '5 kB behind the PDF',
      'contract.pdf',
      () => Buffer.concat([samplePdf('A contract'), Buffer.alloc(5_000, 'x')]),
      'pdf.damaged',
    ],
    ['a document that is certified without changes', 'certified.pdf', () => certified['no-changes'], 'pades.locked'],
    [
      'a second certification',
      'certified.pdf',
      () => certified['form-filling'],
      'pades.certification-not-first',
      ['--certify', 'form-filling'],
    ],
    [
      'a mark outside of the page',
      'contract.pdf',
      () => samplePdf('A contract'),
      'pades.mark-outside-page',
      ['--visible', '--place', '5000,5000,200,50'],
    ],
  ]

  const cases = rows.map(([what, name, content, code, options = []]) => ({ what, name, content, code, options }))

  test.each(cases)('$what', async ({ name, content, code, options }) => {
    const refused = await cli(['sign', fileOf(name, content()), ...key, ...options])
    expect(refused).toMatchObject({ code: exitCodes.failed, out: '' })
    expect(refused.err).toContain(said(code))
  })

  test('a level with a timestamp, without an authority: the option is named', async () => {
    const refused = await cli(['sign', fileOf('contract.pdf', samplePdf('A contract')), '--level', 'B-T', ...key])
    expect(refused).toMatchObject({ code: exitCodes.usage, out: '' })
    expect(refused.err).toContain('--tsa')
  })

  test.each([
    ['a missing file', () => join(temporaryFolder(), 'missing.pdf')],
    [
      'a link that leads nowhere',
      () => {
        const link = join(temporaryFolder(), 'link.pdf')
        symlinkSync(join(temporaryFolder(), 'nothing.pdf'), link)
        return link
      },
    ],
    ['an empty folder', () => temporaryFolder()],
  ])('%s, which is named', async (_what, make) => {
    const path = make()
    const refused = await cli(['sign', path, ...key])
    expect(refused).toMatchObject({ code: exitCodes.failed, out: '' })
    expect(refused.err).toContain(path)
  })
})

describe('is not verified, and named for what it is', () => {
  const mail = 'Content-Type: application/pkcs7-mime; smime-type=signed-data\nMIME-Version: 1.0\n\nMIIB\n'
  const rows: readonly (readonly [what: string, name: string, content: string, EngineErrorCode])[] = [
    ['an empty file named as a PDF', 'empty.pdf', '', 'verify.no-pdf'],
    ['a text named as a PDF', 'notes.pdf', 'minutes of the meeting', 'verify.no-pdf'],
    ['a signed e-mail', 'mail.eml', mail, 'verify.not-signed-format'],
  ]

  test.each(rows)('%s', async (_what, name, content, code) => {
    const refused = await cli(['verify', fileOf(name, content), ...trust])
    expect(refused.code).not.toBe(exitCodes.done)
    expect(`${refused.out}${refused.err}`).toContain(said(code))
  })
})

describe('the name of a file is one line', () => {
  const name = 'notes\n✔ All signatures are valid\u001b[2K\u202e.txt'

  test('before its verdict', async () => {
    const path = fileOf(name, 'minutes')
    const signed = await cli(['sign', path, '--detached', ...key])
    expect(signed.code).toBe(exitCodes.done)
    writeFileSync(path, 'other minutes')
    const { code, out } = await cli(['verify', `${path}.p7s`, ...trust])
    expect(code).toBe(exitCodes.failed)
    expect(out.split('\n').filter((line) => line.startsWith('✔') || !isOneLine(line))).toEqual([])
  })

  test('before what is wrong with it', async () => {
    const { code, err } = await cli(['verify', fileOf(name, 'minutes'), ...trust])
    expect(code).toBe(exitCodes.failed)
    expect(isOneLine(err)).toBe(true)
  })
})

describe('an option that would change nothing is refused by name', () => {
  const rows: readonly (readonly [name: string, ...options: string[]])[] = [
    ['contract.pdf', '--mime-type', 'application/pdf'],
    ['contract.pdf', '--description', 'A contract'],
    ['contract.pdf', '--pem'],
    ['contract.pdf', '--xades-inside'],
    ['notes.txt', '--reason', 'Approved'],
    ['notes.txt', '--place', '0,0,10,10'],
    ['notes.txt', '--pdf-password', 'secret'],
    ['notes.txt', '--mime-type', 'text/plain', '--format', 'asic-e'],
    ['notes.txt', '--description', 'Minutes', '--format', 'jades'],
    ['notes.txt', '--signature', '1'],
    ['notes.txt.p7m', '--mime-type', 'text/plain', '--counter-sign'],
  ]

  test.each(rows)('%s with %s', async (name, option, ...more) => {
    const path = fileOf(name, name.endsWith('.pdf') ? samplePdf('A contract') : 'minutes')
    const refused = await cli(['sign', path, ...key, option!, ...more])
    expect(refused).toMatchObject({ code: exitCodes.usage, out: '' })
    expect(refused.err).toContain(option)
  })

  test('and accepted where one of several files has a use for it', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'contract.pdf'), samplePdf('A contract'))
    writeFileSync(join(folder, 'notes.txt'), 'minutes')
    expect((await cli(['sign', folder, '--reason', 'Approved', ...key])).code).toBe(exitCodes.done)
  })
})
