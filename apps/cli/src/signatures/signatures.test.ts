import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { generalizedTime, sequence } from '@chancela/signature-engine/der'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { plainPdf } from './test-support/plain-pdf.ts'
import { cli } from './test-support/run-cli.ts'

const PASSWORD = 'segredo do cofre'

let demo: RunningDemoPki
let keys: string
/** Options to sign and verify with the demo PKI. */
let key: string[]
let trust: string[]
let tsa: string[]

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
  keys = mkdtempSync(join(tmpdir(), 'chancela-cli-keys-'))
  writeFileSync(join(keys, 'maria.p12'), demo.pki.pkcs12(maria, { password: PASSWORD }))
  writeFileSync(join(keys, 'maria.pem'), maria.x509.toString())
  writeFileSync(join(keys, 'maria.key'), maria.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(keys, 'roots.pem'), demo.pki.trustAnchors())
  writeFileSync(join(keys, 'password.txt'), `${PASSWORD}\n`)
  key = ['--pkcs12', join(keys, 'maria.p12'), '--password', PASSWORD]
  trust = ['--trust', join(keys, 'roots.pem'), '--data', join(keys, 'no-data')]
  tsa = ['--tsa', `${demo.baseUrl}/tsa`]
})

afterAll(async () => {
  rmSync(keys, { recursive: true, force: true })
  await demo.stop()
})

describe('chancela sign and verify', () => {
  test('a validation policy is a file or a name, and decides', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'invoice.xml'), ...key])
    const signed = join(folder, 'invoice.signed.xml')
    const policy = join(folder, 'policy.json')
    const verified = (named: string) => cli(['verify', signed, '--json', '--policy', named, ...trust])
    expect((await verified('general')).code).toBe(0)
    writeFileSync(policy, JSON.stringify({ name: 'longer keys', keys: { rsa: [{ bits: 4096, until: null }] } }))
    const { code, out } = await verified(policy)
    expect(JSON.parse(out)[0]).toMatchObject({ indication: 'indeterminate', validationPolicy: 'longer keys' })
    expect(code).toBe(exitCodes.indeterminate)
    writeFileSync(policy, JSON.stringify({ name: 'wrong', colour: 'red' }))
    expect((await verified(policy)).err).toContain('colour')
    writeFileSync(policy, '{')
    expect((await verified(policy)).err).toContain('policy.json')
  })

  test('the simplest form signs a PDF that readers accept and verify explains', async () => {
    const folder = documents()
    const out = join(folder, 'out.pdf')
    expect(await cli(['sign', join(folder, 'contract.pdf'), '--out', out, ...key])).toMatchObject({ code: 0, out })
    const seen = await runTool('pdfsig', ['-nocert', out])
    expect(seen.text).toContain('Signature is Valid')
    const verified = await cli(['verify', out, ...trust], { environment: { LANG: 'pt_BR.UTF-8' } })
    expect(verified.code).toBe(0)
    expect(verified.out).toContain('✔ Assinatura válida')
    expect(verified.out).toContain('MARIA DA SILVA')
    expect(verified.out).toContain('CPF 529.982.247-25')
  })

  test('XML becomes XAdES, anything else CAdES with the content inside, named by the rules', async () => {
    const folder = documents()
    const signed = await cli(['sign', join(folder, 'invoice.xml'), join(folder, 'notes.txt'), ...key])
    expect(signed.out.split('\n')).toEqual([join(folder, 'invoice.signed.xml'), join(folder, 'notes.txt.p7m')])
    expect(readFileSync(join(folder, 'invoice.signed.xml'), 'utf8')).toContain('SigningCertificate')
    const cms = ['cms', '-verify', '-inform', 'DER', '-in', join(folder, 'notes.txt.p7m'), '-noverify']
    expect((await openssl(cms)).text).toContain('minutes of the meeting')
    const verified = await cli(['verify', join(folder, 'invoice.signed.xml'), join(folder, 'notes.txt.p7m'), ...trust])
    expect(verified.code).toBe(0)
  })

  test('a detached signature without its file is not confirmed, and nothing is said to have changed', async () => {
    const folder = documents()
    const content = join(folder, 'notes.txt')
    await cli(['sign', content, '--detached', ...key])
    const alone = join(temporaryFolder(), 'alone.p7s')
    cpSync(join(folder, 'notes.txt.p7s'), alone)
    const verified = await cli(['verify', alone, '--json', ...trust])
    expect(verified.code).toBe(3)
    expect(JSON.parse(verified.out)[0].signatures[0]).toMatchObject({
      integrity: { content: { state: 'not-checked', reason: 'content-missing' }, signature: { state: 'passed' } },
      mainIndication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
    })
  })

  test('the report of ETSI TS 119 102-2 is about one file', async () => {
    const folder = documents()
    const content = join(folder, 'notes.txt')
    await cli(['sign', content, ...key])
    const verified = await cli(['verify', join(folder, 'notes.txt.p7m'), '--report', 'etsi', ...trust])
    expect(verified.code).toBe(0)
    expect(verified.out).toMatch(/^<\?xml /)
    expect(verified.out).toContain('urn:etsi:019102:mainindication:total-passed')
    const several = await cli(['verify', join(folder, 'notes.txt.p7m'), content, '--report', 'etsi', ...trust])
    expect(several.code).toBe(1)
    expect(several.out).toBe('')
  })

  test('a detached signature is judged over the file it lies beside, or over the one named', async () => {
    const folder = documents()
    const content = join(folder, 'notes.txt')
    await cli(['sign', content, '--detached', ...key])
    const signature = join(folder, 'notes.txt.p7s')
    expect((await cli(['verify', signature, ...trust])).code).toBe(0)
    expect((await cli(['verify', signature, '--content', content, ...trust])).code).toBe(0)
    const both = temporaryFolder()
    for (const path of [content, signature]) cpSync(path, join(both, basename(path)))
    expect((await cli(['verify', both, ...trust])).code).toBe(0)
    writeFileSync(content, 'minutes of another meeting')
    expect((await cli(['verify', signature, ...trust])).code).toBe(1)
  })

  test('a detached signature is judged by a digest where its content stays elsewhere', async () => {
    const folder = documents()
    const content = join(folder, 'notes.txt')
    await cli(['sign', content, '--detached', ...key])
    const signature = join(folder, 'notes.txt.p7s')
    const digestOf = (name: string) => `${name}:${createHash(name).update(readFileSync(content)).digest('hex')}`
    const verify = async (...digests: string[]) =>
      (await cli(['verify', signature, ...digests.flatMap((one) => ['--digest', one]), ...trust])).code
    const [right, other] = [digestOf('sha256'), digestOf('sha512')]
    rmSync(content)
    expect(await verify(right)).toBe(exitCodes.done)
    expect(await verify(other)).toBe(exitCodes.indeterminate)
    expect(await verify(other, right)).toBe(exitCodes.done)
    expect(await verify(`sha256:${'00'.repeat(32)}`)).toBe(exitCodes.failed)
    expect(await verify('sha256')).toBe(exitCodes.failed)
  })

  test('a container holds one file or all of them, of either kind, and a second signer is added', async () => {
    const folder = documents()
    const [notes, contract] = [join(folder, 'notes.txt'), join(folder, 'contract.pdf')]
    expect((await cli(['sign', notes, '--format', 'asic-s', ...key])).out).toBe(`${notes}.asics`)
    const deal = join(folder, 'deal.asice')
    const together = ['sign', notes, contract, '--format', 'asic-e', '--xades-inside', '--out', deal]
    expect(await cli([...together, ...key])).toMatchObject({ code: 0, out: deal })
    expect((await cli(['sign', deal, '--co-sign', ...key])).out).toBe(join(folder, 'deal.signed.asice'))
    expect((await cli(['timestamp', deal, '--level', 'B-T', ...tsa, ...trust])).code).toBe(0)
    const outputs = [`${notes}.asics`, join(folder, 'deal.signed.asice'), join(folder, 'deal.B-T.asice')]
    const reports = JSON.parse((await cli(['verify', ...outputs, '--json', ...trust])).out)
    expect(reports).toMatchObject([
      { format: 'ASiC-S', indication: 'valid', signatures: [{ format: 'CAdES' }] },
      { format: 'ASiC-E', indication: 'valid', signatures: [{ format: 'XAdES' }, { format: 'XAdES' }] },
      { format: 'ASiC-E', indication: 'valid', signatures: [{ level: 'B-T' }] },
    ])
    expect((await runTool('unzip', ['-tqq', deal])).ok).toBe(true)
  })

  test('JAdES is a JWS, attached or beside its content, with a second signer and a higher level', async () => {
    const folder = documents()
    const notes = join(folder, 'notes.txt')
    const jws = `${notes}.jws`
    expect((await cli(['sign', notes, '--format', 'jades', ...key])).out).toBe(jws)
    expect(readFileSync(jws, 'utf8')).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await cli(['sign', jws, '--co-sign', ...key])).out).toBe(join(folder, 'notes.txt.signed.jws'))
    expect((await cli(['timestamp', jws, '--level', 'B-LT', ...tsa, ...trust])).code).toBe(0)
    const outside = join(folder, 'outside.jws')
    expect((await cli(['sign', notes, '--format', 'jades', '--detached', '--out', outside, ...key])).code).toBe(0)
    const paths = [jws, join(folder, 'notes.txt.signed.jws'), join(folder, 'notes.txt.B-LT.jws')]
    const reports = JSON.parse((await cli(['verify', ...paths, '--json', ...trust])).out)
    expect(reports).toMatchObject([
      { format: 'JAdES', indication: 'valid', signatures: [{ level: 'B-B' }] },
      { format: 'JAdES', indication: 'valid', signatures: [{}, {}] },
      { format: 'JAdES', indication: 'valid', signatures: [{ level: 'B-LT' }] },
    ])
    expect((await cli(['verify', outside, ...trust])).code).toBe(exitCodes.indeterminate)
    expect((await cli(['verify', outside, '--content', notes, ...trust])).code).toBe(exitCodes.done)
    expect((await cli(['sign', notes, '--format', 'jades', '--icp', 'AD-RB', '--force', ...trust, ...key])).code).toBe(
      1,
    )
  })

  test('the forecast of the official validator ends the command, and is in the JSON', async () => {
    const folder = documents()
    const out = join(folder, 'out.pdf')
    await cli(['sign', join(folder, 'contract.pdf'), '--out', out, '--level', 'AD-RB', ...key, ...trust])
    const asIti = ['verify', out, '--as', 'iti', ...trust]
    const standIn = ['--stand-in', join(keys, 'roots.pem')]
    expect((await cli([...asIti, ...standIn])).code).toBe(exitCodes.done)
    const json = JSON.parse((await cli([...asIti, '--json'])).out)
    expect(json[0].forecast).toMatchObject({ outcome: 'indeterminada', reasons: [{ rule: 'root-not-icp-brasil' }] })
    expect((await cli(asIti)).code).toBe(exitCodes.indeterminate)
    writeFileSync(out, readFileSync(out, 'latin1').replace('Contract between', 'Contract betwixt'), 'latin1')
    expect((await cli([...asIti, ...standIn])).code).toBe(exitCodes.failed)
  })

  test('PEM and a second signer, told apart from the first', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'notes.txt'), '--pem', ...key])
    const pem = join(folder, 'notes.txt.pem')
    expect(readFileSync(pem, 'utf8')).toContain('BEGIN PKCS7')
    const both = join(folder, 'both.p7m')
    expect((await cli(['sign', pem, '--co-sign', '--out', both, ...key])).code).toBe(0)
    const report = JSON.parse((await cli(['verify', both, '--json', ...trust])).out)[0]
    expect(report).toMatchObject({
      indication: 'valid',
      signatures: [{ indication: 'valid' }, { indication: 'valid' }],
    })
  })

  test('claims of the signer, in every format, and a timestamp of what is signed', async () => {
    const folder = documents()
    const [notes, invoice, contract] = ['notes.txt', 'invoice.xml', 'contract.pdf'].map((name) => join(folder, name))
    const claims = ['--role', 'Diretora', '--commitment', 'proof-of-approval', '--city', 'Recife', '--country', 'BR']
    const signed = await cli(['sign', notes!, invoice!, contract!, ...claims, '--content-timestamp', ...tsa, ...key])
    expect(signed.code).toBe(0)
    const inJson = await cli(['sign', notes!, '--format', 'jades', ...claims, '--content-timestamp', ...tsa, ...key])
    expect(inJson.code).toBe(0)
    const others = [join(folder, 'invoice.signed.xml'), join(folder, 'contract.signed.pdf')]
    const outputs = [`${notes}.p7m`, `${notes}.jws`, ...others]
    const reports = JSON.parse((await cli(['verify', ...outputs, '--json', ...trust])).out)
    for (const { indication, signatures } of reports)
      expect({ indication, ...signatures[0] }).toMatchObject({
        indication: 'valid',
        claims: { roles: ['Diretora'], commitments: ['proof-of-approval'] },
        timestamps: [{ kind: 'content', indication: 'valid' }],
      })
    expect((await cli(['sign', notes!, '--commitment', 'love', '--force', ...key])).code).not.toBe(0)
  })

  test('a counter-signature of a CAdES and of an XML signature', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'notes.txt'), join(folder, 'invoice.xml'), ...key])
    const inputs = [join(folder, 'notes.txt.p7m'), join(folder, 'invoice.signed.xml')]
    const outputs = [join(folder, 'confirmed.p7m'), join(folder, 'confirmed.xml')]
    for (const [at, input] of inputs.entries()) {
      const confirm = ['sign', input, '--counter-sign', '--role', 'Testemunha', '--out', outputs[at]!, ...key]
      expect((await cli(confirm)).code).toBe(0)
      expect((await cli([...confirm, '--force', '--level', 'B-T', ...tsa])).code).not.toBe(0)
      expect((await cli([...confirm, '--force', '--signature', 'nobody'])).code).not.toBe(0)
    }
    for (const { indication, signatures } of JSON.parse((await cli(['verify', ...outputs, '--json', ...trust])).out))
      expect({ indication, counter: signatures[0].counterSignatures }).toMatchObject({
        indication: 'valid',
        counter: [{ kind: 'counter-signature', indication: 'valid', claims: { roles: ['Testemunha'] } }],
      })
  })

  test('levels of ETSI and ICP-Brasil are reached and reported', async () => {
    const folder = documents()
    for (const [name, level] of [
      ['contract.pdf', 'B-T'],
      ['notes.txt', 'AD-RT'],
      ['invoice.xml', 'AD-RB'],
    ] as const) {
      const out = join(folder, `${level}-${name}`)
      const signed = await cli(['sign', join(folder, name), '--out', out, '--level', level, ...tsa, ...trust, ...key])
      expect(signed).toMatchObject({ code: 0, err: '' })
      const report = JSON.parse((await cli(['verify', out, '--json', ...trust])).out)[0]
      expect(report.signatures[0]).toMatchObject({ indication: 'valid', level })
      if (level.startsWith('AD-'))
        expect(report.signatures[0].policy).toMatchObject({ hashMatches: true, status: 'current' })
    }
  })

  test('a policy can be named by its OID, if it fits the format', async () => {
    const folder = documents()
    const policy = ['--policy', '2.16.76.1.7.1.1.2.3']
    expect((await cli(['sign', join(folder, 'notes.txt'), ...policy, ...trust, ...key])).code).toBe(0)
    const report = JSON.parse((await cli(['verify', join(folder, 'notes.txt.p7m'), '--json', ...trust])).out)[0]
    expect(report.signatures[0]).toMatchObject({ level: 'AD-RB', policy: { name: 'AD-RB 2.3 (CAdES)' } })
    expect((await cli(['sign', join(folder, 'contract.pdf'), ...policy, ...trust, ...key])).code).toBe(1)
    expect((await cli(['sign', join(folder, 'contract.pdf'), '--policy', '1.2.3', ...key])).code).toBe(1)
  })

  test('a visible signature, with a reason, in a field of its own', async () => {
    const folder = documents()
    const out = join(folder, 'out.pdf')
    const shown = [
      '--visible',
      '--place',
      '30,30,200,50',
      '--page',
      'last',
      '--reason',
      'Aprovado',
      '--field',
      'Aceite',
    ]
    expect(await cli(['sign', join(folder, 'contract.pdf'), '--out', out, ...shown, ...key])).toMatchObject({ code: 0 })
    const report = JSON.parse((await cli(['verify', out, '--json', ...trust])).out)[0]
    expect(report.signatures[0].name).toContain('Aceite')
    const text = await runTool('pdftotext', [out, '-'])
    expect(text.text).toContain('MARIA DA SILVA')
  })

  test('a mark is what its template says, wherever the command says; a misspelt member is named', async () => {
    const folder = documents()
    const [template, out] = [join(folder, 'mark.json'), join(folder, 'out.pdf')]
    const sign = () =>
      cli(['sign', join(folder, 'contract.pdf'), '--out', out, '--mark', template, '--page', '1', ...key])
    writeFileSync(template, JSON.stringify({ text: { lines: ['De acordo, {name}'] }, border: 'none' }))
    expect(await sign()).toMatchObject({ code: 0 })
    expect((await runTool('pdftotext', [out, '-'])).text).toContain('De acordo, MARIA DA SILVA')
    for (const [wrong, named] of [
      ['{"txt": {}}', 'txt'],
      ['{"image": {"file": "none.png"}}', 'ENOENT'],
      ['{', 'JSON'],
    ] as const) {
      writeFileSync(template, wrong)
      const { code, err } = await sign()
      expect([code, err.includes(named)]).toEqual([1, true])
    }
  })

  test('empty fields are made for others, listed, and signed', async () => {
    const folder = documents()
    const [plan, made, out] = ['fields.json', 'made.pdf', 'out.pdf'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const pdf = join(folder, 'contract.pdf')
    const seedValue = {
      reasons: ['De acordo'],
      required: ['reasons'],
      cert: { subject: ['maria.pem'], required: ['subject'] },
    }
    writeFileSync(join(folder, 'maria.pem'), readFileSync(join(keys, 'maria.pem')))
    const place = { x: 30, y: 30, width: 200, height: 60 }
    const lock = { action: 'include', fields: ['Outra'] }
    writeFileSync(plan, JSON.stringify([{ name: 'Diretor', place, lock, seedValue }, { name: 'Outra' }]))
    expect(await cli(['fields', 'add', pdf, '--fields', plan, '--out', made])).toMatchObject({ code: 0, out: made })
    const listed = (await cli(['fields', 'list', made])).out
    expect(listed).toMatch(/Diretor +1 +30,30,200,60 +no +include Outra +reasons cert required/)
    expect(listed).toMatch(/Outra +1 +invisible +no +- +-/)
    expect(JSON.parse((await cli(['fields', 'list', made, '--json'])).out)).toHaveLength(2)
    expect(await cli(['sign', made, '--out', out, '--field', 'Diretor', '--visible', ...key])).toMatchObject({
      code: 0,
    })
    expect((await runTool('pdfsig', ['-nocert', out])).text).toContain('Signature Field Name: Diretor')
    const alone = ['fields', 'add', pdf, '--name', 'Aceite', '--place', '30,30,200,50', '--page', 'last']
    expect((await cli(alone)).out).toBe(join(folder, 'contract.fields.pdf'))
    for (const wrong of [[], ['--name', 'a', '--fields', plan], ['--name', 'a', '--place', '1,1,9,9', '--page', 'all']])
      expect((await cli(['fields', 'add', pdf, '--out', out, '--force', ...wrong])).code).toBe(1)
  })

  test('a visible signature outside of the page is refused, and nothing is written', async () => {
    const folder = documents()
    const out = join(folder, 'out.pdf')
    const shown = ['--visible', '--place', '5000,5000,200,50']
    const { code, err } = await cli(['sign', join(folder, 'contract.pdf'), '--out', out, ...shown, ...key])
    expect(code).toBe(1)
    expect(err).toContain('5000,5000,200,50')
    expect(existsSync(out)).toBe(false)
  })

  test('a folder is signed into a folder, goes on past a bad file and says how many', async () => {
    const folder = documents()
    mkdirSync(join(folder, 'inner'))
    writeFileSync(join(folder, 'inner', 'deep.txt'), 'deep')
    writeFileSync(join(folder, 'broken.pdf'), 'this is no PDF')
    writeFileSync(join(folder, '.hidden'), 'not meant')
    const out = join(folder, '..', 'signed')
    const signed = await cli(['sign', folder, '--out', out, '--json', ...key])
    expect(signed.code).toBe(1)
    expect(signed.err).toContain('broken.pdf: ')
    expect(signed.err).toContain('4 signed, 1 failed.')
    const results = JSON.parse(signed.out) as { input: string; error?: { code: string } }[]
    expect(results.filter(({ error }) => error).map(({ input }) => input)).toEqual([join(folder, 'broken.pdf')])
    expect(readdirSync(out, { recursive: true }).sort()).toEqual([
      'contract.signed.pdf',
      'inner',
      'inner/deep.txt.p7m',
      'invoice.signed.xml',
      'notes.txt.p7m',
    ])
    expect((await cli(['verify', out, ...trust])).code).toBe(0)
  })

  test('nothing is overwritten unless it is asked for', async () => {
    const folder = documents()
    const command = ['sign', join(folder, 'notes.txt'), ...key]
    expect((await cli(command)).code).toBe(0)
    const before = readFileSync(join(folder, 'notes.txt.p7m'))
    const second = await cli(command)
    expect(second).toMatchObject({ code: 1 })
    expect(second.err).toContain('exists already')
    expect(readFileSync(join(folder, 'notes.txt.p7m'))).toEqual(before)
    expect((await cli([...command, '--force'])).code).toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('an encrypted PDF', () => {
  test('is signed and verified with its password, from an option, a file or the environment', async () => {
    const folder = documents()
    const locked = join(folder, 'locked.pdf')
    await runTool('qpdf', ['--encrypt', 'segredo', 'dono', '256', '--', join(folder, 'contract.pdf'), locked])
    const signed = join(folder, 'locked.signed.pdf')
    const environment = { CHANCELA_PDF_PASSWORD: 'segredo' }
    expect((await cli(['sign', locked, ...key])).code).toBe(1)
    expect(await cli(['sign', locked, ...key], { environment })).toMatchObject({ code: 0, out: signed })
    writeFileSync(join(folder, 'password'), 'dono\n')
    for (const option of [
      ['--pdf-password', 'segredo'],
      ['--pdf-password-file', join(folder, 'password')],
    ])
      expect((await cli(['verify', signed, ...option, ...trust])).code).toBe(0)
    expect((await cli(['verify', signed, '--pdf-password', 'wrong', ...trust])).code).toBe(1)
  })

  test('gets a document timestamp with its password, and not without', async () => {
    const folder = documents()
    const locked = join(folder, 'locked.pdf')
    await runTool('qpdf', ['--encrypt', 'segredo', 'dono', '256', '--', join(folder, 'contract.pdf'), locked])
    await cli(['sign', locked, '--pdf-password', 'segredo', ...key])
    const stamp = ['timestamp', join(folder, 'locked.signed.pdf'), '--level', 'B-LTA', ...tsa, ...trust]
    expect((await cli(stamp)).code).toBe(exitCodes.failed)
    const { code, out } = await cli([...stamp, '--pdf-password', 'segredo'])
    expect(code).toBe(exitCodes.done)
    const report = await cli(['verify', out, '--json', '--pdf-password', 'segredo', ...trust])
    const { signatures } = JSON.parse(report.out)[0]
    expect(signatures[0]).toMatchObject({ kind: 'signature', level: 'B-LTA', indication: 'valid' })
    expect(signatures.at(-1)).toMatchObject({ kind: 'document-timestamp', indication: 'valid' })
    expect((await runTool('qpdf', ['--check', '--password=segredo', out])).ok).toBe(true)
    const seen = await runTool('pdfsig', ['-nocert', '-opw', 'dono', out])
    expect(seen.text).toContain('Signature is Valid')
  })
})

describe('chancela repair', () => {
  test('rewrites a damaged PDF, which can be signed then; a healthy one is left alone', async () => {
    const folder = documents()
    const damaged = join(folder, 'damaged.pdf')
    writeFileSync(damaged, readFileSync(join(folder, 'contract.pdf')).subarray(0, -40))
    expect((await cli(['sign', damaged, ...key])).err).toContain('chancela repair')
    const repaired = join(folder, 'repaired.pdf')
    expect(await cli(['repair', damaged, repaired])).toMatchObject({ code: 0, out: repaired })
    expect((await runTool('qpdf', ['--check', repaired])).exitCode).toBe(0)
    expect((await cli(['sign', repaired, ...key])).code).toBe(0)
    const healthy = await cli(['repair', repaired, '--json'])
    expect(JSON.parse(healthy.out)).toMatchObject([{ output: repaired, state: 'healthy' }])
    const signed = join(folder, 'repaired.signed.pdf')
    writeFileSync(damaged, readFileSync(signed).subarray(0, -40))
    const refused = await cli(['repair', damaged, '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject([{ error: { code: 'pdf.repair-signed' } }])
  })
})

describe('the password', () => {
  const signWith = (folder: string, ...options: string[]) =>
    ['sign', join(folder, 'notes.txt'), '--force', '--pkcs12', join(keys, 'maria.p12'), ...options] as const

  test('comes from a file, the environment or a person', async () => {
    const folder = documents()
    expect((await cli(signWith(folder, '--password-file', join(keys, 'password.txt')))).code).toBe(0)
    expect((await cli(signWith(folder), { environment: { CHANCELA_PASSWORD: PASSWORD } })).code).toBe(0)
    expect((await cli(signWith(folder), { askSecret: async () => PASSWORD })).code).toBe(0)
  })

  test('that is wrong or missing is one sentence, and nothing is written', async () => {
    const folder = documents()
    for (const failure of [await cli(signWith(folder, '--password', 'wrong')), await cli(signWith(folder))]) {
      expect(failure.code).toBe(1)
      expect(failure.err.split('\n')).toHaveLength(1)
    }
    expect(existsSync(join(folder, 'notes.txt.p7m'))).toBe(false)
  })
})

describe('what verify answers', () => {
  test('3 when no root is trusted, 1 when a byte was changed or nothing is signed', async () => {
    const folder = documents()
    const signed = join(folder, 'contract.signed.pdf')
    await cli(['sign', join(folder, 'contract.pdf'), ...key])
    const stranger = await cli(['verify', signed, '--data', join(folder, 'none'), '--language', 'en-US'])
    expect(stranger.code).toBe(3)
    expect(stranger.err).toContain('chancela trust update')
    expect(stranger.out).toContain('? The signature could not be confirmed')
    const bytes = readFileSync(signed)
    bytes[bytes.indexOf('Contract between')]! ^= 1
    writeFileSync(signed, bytes)
    const changed = await cli(['verify', signed, ...trust, '--language', 'en-US'])
    expect(changed.code).toBe(1)
    expect(changed.out).toContain('✘ Invalid signature')
    expect((await cli(['verify', join(folder, 'contract.pdf'), ...trust])).code).toBe(1)
  })

  test('revoked is told, and so is "revocation unknown" when offline', async () => {
    const folder = documents()
    const joao = await demo.pki.issuePerson({ name: 'JOAO REVOGADO', cpf: '11144477735' })
    writeFileSync(join(folder, 'joao.p12'), demo.pki.pkcs12(joao, { password: 'x' }))
    const out = join(folder, 'notes.p7m')
    await cli([
      'sign',
      join(folder, 'notes.txt'),
      '--out',
      out,
      '--pkcs12',
      join(folder, 'joao.p12'),
      '--password',
      'x',
    ])
    const offline = await cli(['verify', out, ...trust, '--offline', '--language', 'pt-BR'])
    expect(offline.code).toBe(3)
    expect(offline.out).toContain('revogação desconhecida')
    demo.pki.revoke(joao, { reason: 'keyCompromise' })
    const online = await cli(['verify', out, ...trust, '--language', 'pt-BR'])
    // EN 319 102-1: nothing proves whether the signature is older than the revocation.
    expect(online.code).toBe(3)
    expect(online.out).toContain('REVOGADO')
  })

  test('as of another time', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'notes.txt'), ...key])
    const signed = join(folder, 'notes.txt.p7m')
    const later = await cli(['verify', signed, ...trust, '--at', '2049-01-01T00:00:00Z', '--offline'])
    expect(later.code).not.toBe(0)
    expect((await cli(['verify', signed, ...trust, '--at', 'tomorrow'])).err).toContain('--at takes an ISO 8601 time')
  })

  test('a file that cannot be read or understood is one sentence', async () => {
    const folder = documents()
    expect(await cli(['verify', join(folder, 'none.pdf'), ...trust])).toMatchObject({ code: 1 })
    expect(await cli(['verify', temporaryFolder(), ...trust])).toMatchObject({ code: 1 })
    const noise = await cli(['verify', join(folder, 'notes.txt'), ...trust, '--json'])
    expect(noise.code).toBe(1)
    expect(JSON.parse(noise.out)[0].error.message).toEqual(expect.any(String))
  })
})

describe('chancela timestamp', () => {
  test('stamps a file; openssl and verify agree', async () => {
    const folder = documents()
    expect((await cli(['timestamp', join(folder, 'notes.txt'), ...tsa])).out).toBe(join(folder, 'notes.txt.tst'))
    const token = join(folder, 'notes.txt.tst')
    writeFileSync(
      join(folder, 'chain.pem'),
      demo.pki
        .authorities()
        .map(({ x509 }) => x509.toString())
        .join(''),
    )
    const judged = await openssl([
      'ts',
      '-verify',
      '-data',
      join(folder, 'notes.txt'),
      '-token_in',
      '-in',
      token,
      '-CAfile',
      join(folder, 'chain.pem'),
    ])
    expect(judged.text).toContain('Verification: OK')
    expect((await cli(['verify', token, ...trust])).code).toBe(0)
    writeFileSync(join(folder, 'notes.txt'), 'other')
    expect((await cli(['verify', token, ...trust])).code).toBe(1)
  })

  test('brings signatures to a higher level', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'contract.pdf'), ...key])
    const out = join(folder, 'archived.pdf')
    const extended = await cli([
      'timestamp',
      join(folder, 'contract.signed.pdf'),
      '--level',
      'B-LTA',
      '--out',
      out,
      ...tsa,
      ...trust,
    ])
    expect(extended).toMatchObject({ code: 0, err: '' })
    const report = JSON.parse((await cli(['verify', out, '--json', ...trust])).out)[0]
    expect(report.signatures[0]).toMatchObject({ indication: 'valid', level: 'B-LTA' })
  })

  test('asks the next authority when one fails, and says so when none answers', async () => {
    const folder = documents()
    const nobody = ['--tsa', 'http://127.0.0.1:9/tsa']
    expect((await cli(['timestamp', join(folder, 'notes.txt'), ...nobody, ...tsa])).code).toBe(0)
    const failed = await cli(['sign', join(folder, 'notes.txt'), '--level', 'B-T', ...nobody, ...key])
    expect(failed.code).toBe(1)
    expect(failed.err.split('\n')).toHaveLength(1)
    expect((await cli(['timestamp', join(folder, 'notes.txt')])).err).toContain('--tsa')
    expect(await cli(['sign', join(folder, 'notes.txt'), '--level', 'B-T'])).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('--tsa'),
    })
    expect(existsSync(join(folder, 'notes.txt.p7m'))).toBe(false)
  })
})

describe('chancela encrypt and decrypt', () => {
  test('round trip, also with openssl, and never a changed file', async () => {
    const folder = documents()
    const plain = join(folder, 'contract.pdf')
    expect((await cli(['encrypt', plain, '--to', join(keys, 'maria.pem')])).out).toBe(`${plain}.enc`)
    const decrypt = ['decrypt', `${plain}.enc`, '--out', join(folder, 'again.pdf'), ...key]
    expect((await cli(decrypt)).code).toBe(0)
    expect(readFileSync(join(folder, 'again.pdf'))).toEqual(readFileSync(plain))
    const opened = await openssl([
      'cms',
      '-decrypt',
      '-inform',
      'DER',
      '-in',
      `${plain}.enc`,
      '-inkey',
      join(keys, 'maria.key'),
    ])
    expect(opened.stdout).toEqual(readFileSync(plain))
    const sealed = readFileSync(`${plain}.enc`)
    sealed[sealed.length - 40]! ^= 1
    writeFileSync(join(folder, 'forged.enc'), sealed)
    const forged = await cli(['decrypt', join(folder, 'forged.enc'), ...key])
    expect(forged.code).toBe(1)
    expect(existsSync(join(folder, 'forged'))).toBe(false)
  })
})

describe('chancela inspect', () => {
  test('shows certificates, keys, signatures, lists and timestamps', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'contract.pdf'), '--level', 'B-T', ...tsa, ...key])
    await cli(['sign', join(folder, 'invoice.xml'), ...key])
    await cli(['sign', join(folder, 'notes.txt'), '--level', 'AD-RB', ...key])
    await cli(['encrypt', join(folder, 'notes.txt'), '--to', join(keys, 'maria.pem')])
    await cli(['timestamp', join(folder, 'notes.txt'), ...tsa])
    const list = await demo.pki.revocationList(demo.pki.certificate('level-2'))
    writeFileSync(join(folder, 'list.crl'), list.der)
    const kindOf = async (path: string, ...options: string[]) => {
      const { code, out } = await cli(['inspect', path, '--json', ...options])
      expect(code).toBe(0)
      return JSON.parse(out)[0]
    }
    expect(await kindOf(join(keys, 'maria.pem'))).toMatchObject({ kind: 'certificate', facts: { cpf: '52998224725' } })
    const opened = await kindOf(join(keys, 'maria.p12'), '--password', PASSWORD)
    expect(opened).toMatchObject({ kind: 'pkcs12', facts: { key: 'rsa' } })
    expect(opened.contents).toHaveLength(4)
    expect(await kindOf(join(folder, 'contract.signed.pdf'))).toMatchObject({
      kind: 'pdf',
      facts: { revisions: 2, signatures: 1, pages: 1 },
    })
    expect(await kindOf(join(folder, 'invoice.signed.xml'))).toMatchObject({ kind: 'xml', facts: { signatures: 1 } })
    const cms = await kindOf(join(folder, 'notes.txt.p7m'))
    expect(cms.contents[0]).toMatchObject({
      kind: 'signer',
      facts: { policy: expect.stringMatching(/^AD-RB .*CAdES/) },
    })
    expect(await kindOf(join(folder, 'notes.txt.enc'))).toMatchObject({
      facts: { cipher: 'AES-256-GCM', recipients: 1 },
    })
    expect((await kindOf(join(folder, 'notes.txt.tst'))).kind).toBe('timestamp')
    await cli(['sign', join(folder, 'notes.txt'), '--format', 'jades', ...key])
    expect(await kindOf(join(folder, 'notes.txt.jws'))).toMatchObject({ kind: 'jws', facts: { signatures: 1 } })
    await cli(['sign', join(folder, 'notes.txt'), '--format', 'asic-s', ...key])
    expect(await kindOf(join(folder, 'notes.txt.asics'))).toMatchObject({ kind: 'asic', facts: { form: 'ASiC-S' } })
    const locked = join(folder, 'locked.pdf')
    await runTool('qpdf', ['--encrypt', 'segredo', 'dono', '256', '--', join(folder, 'contract.pdf'), locked])
    expect((await kindOf(locked)).facts.pages).toBeUndefined()
    expect(await kindOf(locked, '--pdf-password', 'segredo')).toMatchObject({ kind: 'pdf', facts: { pages: 1 } })
    expect((await kindOf(join(folder, 'list.crl'))).kind).toBe('crl')
    const text = await cli(['inspect', join(folder, 'contract.signed.pdf')])
    expect(text.out).toMatch(/Signature in field .*\n(.*\n)*.*Signer 1: MARIA DA SILVA/)
    expect((await cli(['inspect', join(folder, 'notes.txt')])).code).toBe(1)
  })
})

describe('chancela trust', () => {
  test('takes in lists of approved policies, whatever their names, and verify tells when they are stale', async () => {
    const folder = documents()
    const store = ['--data', join(folder, 'data')]
    const lists = ['LPA_PAdES.der', 'own-roots.pem'].flatMap((name, n) => {
      writeFileSync(join(folder, name), sequence(sequence(), generalizedTime(new Date(`202${n}-09-10`))))
      return ['--lpa', join(folder, name)]
    })
    const updated = await cli(['trust', 'update', ...lists, ...store])
    expect(updated.code).toBe(0)
    expect((await cli(['trust', 'add', join(keys, 'roots.pem'), ...store])).code).toBe(0)
    await cli(['sign', join(folder, 'notes.txt'), '--icp', 'AD-RB', ...key, ...store])
    const verified = await cli(['verify', join(folder, 'notes.txt.p7m'), '--json', ...store])
    expect(verified.code).toBe(0)
    const codes = JSON.parse(verified.out)[0].signatures[0].findings.map(({ code }: { code: string }) => code)
    expect(codes).toContain('policy-list-stale')
  })

  test('takes a signed list of policies in only if its signature speaks for it', async () => {
    const folder = documents()
    const store = ['--data', join(folder, 'data')]
    const list = join(folder, 'LPA_CAdES.der')
    writeFileSync(list, sequence(sequence(), generalizedTime(new Date('2099-01-01'))))
    await cli(['trust', 'add', join(keys, 'roots.pem'), ...store])
    await cli(['sign', list, '--detached', '--out', join(folder, 'LPA_CAdES.p7s'), ...key])
    expect(await cli(['trust', 'update', '--lpa', list, ...store])).toMatchObject({ code: 0, err: '' })
    writeFileSync(list, sequence(sequence(), generalizedTime(new Date('2098-01-01'))))
    const forged = await cli(['trust', 'update', '--lpa', list, ...store])
    expect(forged).toMatchObject({ code: 1 })
    const listed = JSON.parse((await cli(['trust', 'list', '--json', ...store])).out)
    expect(listed.policyLists).toEqual([{ nextUpdate: '2099-01-01T00:00:00.000Z', policies: 0 }])
  })

  test('takes no list of policies in whose signer is revoked', async () => {
    const folder = documents()
    const store = ['--data', join(folder, 'data')]
    const list = join(folder, 'LPA_CAdES.der')
    writeFileSync(list, sequence(sequence(), generalizedTime(new Date('2099-01-01'))))
    const rita = await demo.pki.issuePerson({ name: 'RITA LEE', cpf: '15350946056' })
    writeFileSync(join(folder, 'rita.p12'), demo.pki.pkcs12(rita, { password: PASSWORD }))
    const own = ['--pkcs12', join(folder, 'rita.p12'), '--password', PASSWORD]
    await cli(['trust', 'add', join(keys, 'roots.pem'), ...store])
    await cli(['sign', list, '--detached', '--out', join(folder, 'LPA_CAdES.p7s'), ...own])
    demo.pki.revoke(rita, { reason: 'keyCompromise' })
    expect(await cli(['trust', 'update', '--lpa', list, ...store])).toMatchObject({ code: 1 })
    const listed = JSON.parse((await cli(['trust', 'list', '--json', ...store])).out)
    expect(listed.policyLists).toEqual([])
  })

  test('trusts what a person adds, and verify needs no option then', async () => {
    const folder = documents()
    const store = ['--data', join(folder, 'data')]
    expect((await cli(['trust', 'add', join(keys, 'roots.pem'), ...store])).out).toContain('AC Raiz Demo v1')
    await cli(['sign', join(folder, 'notes.txt'), ...key])
    expect((await cli(['verify', join(folder, 'notes.txt.p7m'), ...store])).code).toBe(0)
  })

  test('downloads from another address, and takes nothing from it that is not known', async () => {
    const folder = join(temporaryFolder(), 'trust')
    for (const address of ['aia/root.crt', 'no/such/thing']) {
      const update = await cli(['trust', 'update', '--url', `${demo.baseUrl}/${address}`, '--folder', folder])
      expect(update.code).toBe(1)
    }
    expect(existsSync(folder)).toBe(false)
  })

  test('says what can be done when nothing is trusted', async () => {
    const listed = await cli(['trust', 'list', '--folder', join(temporaryFolder(), 'none')])
    expect(listed.code).toBe(0)
    expect(listed.err).toContain('chancela trust update')
  })
})

describe('the command line of signatures', () => {
  test('answers wrong usage with 2', async () => {
    for (const wrong of [
      ['sign'],
      ['sign', 'a', '--level', 'B-X'],
      ['verify', 'a', '--language', 'fr'],
      ['decrypt', 'a'],
    ])
      expect((await cli(wrong)).code).toBe(2)
  })

  test('explains the exit codes in its help', async () => {
    for (const command of ['sign', 'verify', 'timestamp'])
      expect((await cli([command, '--help'])).out).toContain('Exit codes:')
  })

  test('is described in docs/cli.md to the last option', async () => {
    const text = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8')
    for (const command of ['sign', 'verify', 'inspect', 'timestamp', 'encrypt', 'decrypt', 'trust', 'fields']) {
      const help = (await cli([command, '--help'])).out
      expect(text).toContain(`\`chancela ${command}`)
      for (const [, option] of help.matchAll(/^ {2}(--[a-z0-9-]+)/gm)) expect(text).toContain(`\`${option}`)
    }
    for (const [name, code] of Object.entries(exitCodes)) expect(text).toContain(`| ${code} | ${name} |`)
  })

  test('wants a key, and refuses what a PDF cannot have', async () => {
    const folder = documents()
    expect((await cli(['sign', join(folder, 'notes.txt')])).err).toContain('--pkcs12')
    const never = await cli(['sign', join(folder, 'contract.pdf'), '--icp', 'AD-RV', ...tsa, ...key])
    expect([never.code, never.err.includes('AD-RV')]).toEqual([1, true])
    expect((await cli(['sign', join(folder, 'contract.pdf'), '--place', 'here', '--visible', ...key])).code).toBe(1)
  })

  // A process from source starts slowly on a busy machine.
  test('runs as a process of its own and ends with the exit code of its verdict', async () => {
    const folder = documents()
    await cli(['sign', join(folder, 'notes.txt'), ...key])
    const main = `import { runCli } from '@chancela/cli'; process.exitCode = await runCli(process.argv.slice(1))`
    const node = ['--conditions=chancela-source', '--import', 'tsx', '--input-type=module', '--eval', main, '--']
    const command = [...node, 'verify', join(folder, 'notes.txt.p7m'), '--json', '--offline', ...trust]
    const ended = promisify(execFile)(process.execPath, command, { cwd: import.meta.dirname })
    const { code, stdout } = await ended.then(
      (done) => ({ code: 0, ...done }),
      (failure: { code: number; stdout: string }) => failure,
    )
    expect(code).toBe(3)
    expect(JSON.parse(stdout)[0]).toMatchObject({ indication: 'indeterminate', signatures: [{ level: 'B-B' }] })
  })
})

/** Runs one command line. */
/** A folder with one document of each kind. */
function documents(): string {
  const folder = join(temporaryFolder(), 'documents')
  mkdirSync(folder)
  writeFileSync(join(folder, 'contract.pdf'), plainPdf('Contract between A and B'))
  writeFileSync(
    join(folder, 'invoice.xml'),
    '<?xml version="1.0"?>\n<invoice><total currency="BRL">10.00</total></invoice>\n',
  )
  writeFileSync(join(folder, 'notes.txt'), 'minutes of the meeting')
  return folder
}
