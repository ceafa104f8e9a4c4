import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoHolder, demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance, samplePdf } from '@chancela/testkit/samples'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, demoPki, profileOf, startBatchSigner } from './test-support/running-service.ts'

const [ana, bruno, carla] = demoHolders as readonly [DemoHolder, DemoHolder, DemoHolder]

// Five folders, each with a different profile.
const profiles = [
  profileOf(ana.label, { Name: 'default', InputFolder: 'default' }),
  profileOf(bruno.label, { Name: 'remessas', InputFolder: 'remessas', Format: 'Cades', CheckCnab240: true }),
  profileOf(carla.label, { Name: 'sigilo', InputFolder: 'sigilo', Format: 'Cades', ...encryptedTo(carla) }),
  profileOf(ana.label, { Name: 'laudos', InputFolder: 'laudos', Format: 'Pades', ...encryptedTo(carla) }),
  profileOf(bruno.label, { Name: 'texto', InputFolder: 'texto', Format: 'Cades', SaveAsPem: true }),
]

function encryptedTo({ label }: DemoHolder) {
  return { EncryptionCertificateFiles: [`${label}.pem`] }
}

/** A file to drop, and its expected result. */
interface Dropped {
  readonly folder: string
  readonly name: string
  readonly content: Buffer
  readonly output: string
  /** Validates an output with an independent program. */
  judge(output: Buffer, content: Buffer): Promise<void>
}

const numbered = (count: number, make: (n: string) => Dropped): readonly Dropped[] =>
  Array.from({ length: count }, (_, at) => make(String(at + 1).padStart(3, '0')))

const remittance = (n: number) =>
  buildRemittance({
    payments: [{ amountCentavos: 1_000 + n }, { amountCentavos: 250_000 }],
    fileSequence: n,
    bank: ['001', '341', '237', '033', '104'][n % 5]!,
  })

/** As systems of several ages write them: each keeps its encoding. */
const note = (n: number): Buffer =>
  [
    Buffer.from(`<?xml version="1.0"?>\n${noteText(n)}`),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\r\n${noteText(n)}`, 'latin1'),
    Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>\n${noteText(n)}`, 'utf16le'),
  ][n % 3]!

const noteText = (n: number): string =>
  `<nota xmlns="urn:nota"><numero>${n}</numero><cliente>João da Conceição</cliente></nota>\n`

const hundred: readonly Dropped[] = [
  ...numbered(30, (n) => {
    const content = samplePdf(`contract ${n}`, 20_000)
    return {
      folder: 'default',
      name: `contrato-${n}.pdf`,
      content,
      output: `contrato-${n}.signed.pdf`,
      judge: judgePdf,
    }
  }),
  ...numbered(20, (n) => {
    const content = note(Number(n))
    return { folder: 'default', name: `nota-${n}.xml`, content, output: `nota-${n}.signed.xml`, judge: judgeXml }
  }),
  ...numbered(15, (n) => {
    const content = randomBytes(5_000 + Number(n) * 1_000)
    return { folder: 'default', name: `imagem-${n}.bin`, content, output: `imagem-${n}.bin.p7m`, judge: judgeCms }
  }),
  ...numbered(15, (n) => {
    const content = remittance(Number(n))
    return { folder: 'remessas', name: `pagar-${n}.rem`, content, output: `pagar-${n}.rem.p7m`, judge: judgeCms }
  }),
  ...numbered(10, (n) => {
    const content = Number(n) % 2 ? samplePdf(`secret ${n}`) : randomBytes(3_000)
    return {
      folder: 'sigilo',
      name: `sigilo-${n}.dat`,
      content,
      output: `sigilo-${n}.dat.p7m.enc`,
      judge: sealed(judgeCms),
    }
  }),
  ...numbered(5, (n) => {
    const content = samplePdf(`report ${n}`)
    return {
      folder: 'laudos',
      name: `laudo-${n}.pdf`,
      content,
      output: `laudo-${n}.signed.pdf.enc`,
      judge: sealed(judgePdf),
    }
  }),
  ...numbered(5, (n) => {
    const content = Buffer.from(`linha ${n};ação;R$ 1,00\r\n`)
    return { folder: 'texto', name: `planilha-${n}.csv`, content, output: `planilha-${n}.csv.pem`, judge: judgePem }
  }),
]

for (const database of databases) {
  test(`dropping 100 mixed files into folders yields 100 right outputs, on ${database}`, {
    timeout: 300_000,
  }, async () => {
    expect(hundred).toHaveLength(100)
    const inputs = ['default', 'remessas', 'sigilo', 'laudos', 'texto']
    const { compact, input, output, error, folder } = await startBatchSigner({ database, inputs, profiles })
    for (const dropped of hundred) await drop(dropped, folder, input(dropped.folder))

    const counted = async (status: string) =>
      (await compact.json<{ total: number }>('GET', `/api/jobs?status=${status}&pageSize=1`)).body.total
    const ended = async () => ({ Completed: await counted('Completed'), Failed: await counted('Failed') })
    await expect.poll(ended, { timeout: 240_000, interval: 250 }).toStrictEqual({ Completed: 100, Failed: 0 })

    expect(lyingIn(output).toSorted()).toStrictEqual(hundred.map((dropped) => dropped.output).sort())
    expect(lyingIn(error)).toStrictEqual([])
    const left = async () => inputs.flatMap((one) => lyingIn(input(one)))
    await expect.poll(left).toStrictEqual([])
    // The bytes do not depend on the database: of the second one every fifth output is validated.
    const judged = hundred.filter((_, at) => database === 'SQLite' || at % 5 === 0)
    await inFours(judged, async (dropped) =>
      dropped.judge(await readFile(join(output, dropped.output)), dropped.content),
    )
  })
}

/** Some files appear complete, by a rename; some grow while the watcher samples them. */
async function drop({ name, content }: Dropped, folder: string, input: string): Promise<void> {
  if (content.length % 3 === 0) return writeFile(join(input, name), content)
  await writeFile(join(folder, name), content)
  await rename(join(folder, name), join(input, name))
}

async function inFours<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const lane = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** `pdfsig`: one signature, valid, over the whole file, which begins with the dropped content. */
async function judgePdf(output: Buffer, content: Buffer): Promise<void> {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'a.pdf'), output)
  const { text } = await runTool('pdfsig', ['-nocert', 'a.pdf'], { folder })
  expect(text.match(/Signature is Valid/g), text).toHaveLength(1)
  expect(text).toContain('Total document signed')
  expect(output.subarray(0, content.length).equals(content)).toBe(true)
}

/** `openssl cms -verify`: up to the demo root, and the content is what was dropped. */
function judgeCms(output: Buffer, content: Buffer): Promise<void> {
  return verifiedCms('DER', output, content)
}

function judgePem(output: Buffer, content: Buffer): Promise<void> {
  return verifiedCms('PEM', output, content)
}

async function verifiedCms(form: 'DER' | 'PEM', output: Buffer, content: Buffer): Promise<void> {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'roots.pem'), (await demoPki()).pki.trustAnchors())
  const args = ['cms', '-verify', '-binary', '-purpose', 'any', '-inform', form, '-CAfile', 'roots.pem', '-out', 'out']
  const { ok, text } = await openssl(args, { input: output, folder })
  expect(ok, text).toBe(true)
  expect((await readFile(join(folder, 'out'))).equals(content)).toBe(true)
}

/** `xmlsec1 --verify`: up to the demo root; the document's content is unchanged. */
async function judgeXml(output: Buffer, content: Buffer): Promise<void> {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'root.pem'), (await demoPki()).pki.trustAnchors())
  await writeFile(join(folder, 'a.xml'), output)
  const ids = ['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties']
  const { ok, text } = await runTool('xmlsec1', ['--verify', '--trusted-pem', 'root.pem', ...ids, 'a.xml'], { folder })
  expect(ok, text).toBe(true)
  // The signature stands before the last end tag, and everything else is as it was.
  const end = content.length - content.lastIndexOf('<')
  expect(output.subarray(0, content.length - end)).toEqual(content.subarray(0, content.length - end))
  expect(output.subarray(output.length - end)).toEqual(content.subarray(content.length - end))
}

/** `openssl cms -decrypt` with the recipient's key; its content is validated. */
function sealed(judge: Dropped['judge']): Dropped['judge'] {
  return async (output, content) => {
    const folder = temporaryFolder()
    const { key, x509 } = (await demoPki()).pki.certificate(carla.label)
    await writeFile(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await writeFile(join(folder, 'certificate.pem'), x509.toString())
    const args = ['cms', '-decrypt', '-inform', 'DER', '-inkey', 'key.pem', '-recip', 'certificate.pem', '-out', 'out']
    const { ok, text } = await openssl(args, { input: output, folder })
    expect(ok, text).toBe(true)
    await judge(await readFile(join(folder, 'out')), content)
  }
}
