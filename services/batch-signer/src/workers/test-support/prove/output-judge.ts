import { readFileSync } from 'node:fs'
import { validateCades } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import { isIntact, type ValidationReport } from '@chancela/signature-engine/report'
import { validateXades } from '@chancela/signature-engine/xades'
import { openssl, runTool } from '@chancela/testkit/tools'
import type { SignatureFormat } from '../../../rules/job.ts'
import type { Delivery } from './deliveries.ts'
import { type SiteFile, sha256 } from './site-files.ts'

/** A delivered output and the file it is of. */
export interface Exhibit extends Delivery {
  readonly file: SiteFile
}

/** Why an output is not valid, or is not over what somebody wrote. */
export interface Finding {
  readonly exhibit: Exhibit
  /** `content`: the signature is good, but over something that no writer had finished. */
  readonly about: 'signature' | 'content'
  readonly text: string
}

/** Outputs one call of a program gets, and programs that run side by side. */
const AT_ONCE = 50
const LANES = 2

/** Judges every output with our own engine and with a program that we did not write. */
export class OutputJudge {
  readonly #judge: Judge
  readonly #rootPem: string
  judged = 0
  strangersAsked = 0

  constructor(judge: Judge, rootPem: string) {
    this.#judge = judge
    this.#rootPem = rootPem
  }

  async findings(exhibits: readonly Exhibit[]): Promise<readonly Finding[]> {
    this.judged += exhibits.length
    const ours = await inLanes(exhibits, (exhibit) => this.#ours(exhibit))
    const of = (format: SignatureFormat) => exhibits.filter((exhibit) => formatOf(exhibit) === format)
    const xml = await inLanes(pagesOf(of('Xades')), (page) => this.#xmlsec(page))
    const pdf = await inLanes(of('Pades'), pdfsig)
    const cms = await inLanes(of('Cades'), opensslCms)
    this.strangersAsked += exhibits.length
    return [...ours, ...xml, ...pdf, ...cms].flat()
  }

  async #ours(exhibit: Exhibit): Promise<readonly Finding[]> {
    const format = formatOf(exhibit)
    const bytes = readFileSync(exhibit.path)
    const report = await validators[format](bytes, { judge: this.#judge, now: new Date() })
    if (!isSound(report)) return [{ exhibit, about: 'signature', text: 'our engine says it is not intact' }]
    return isOver[format](bytes, exhibit.file) ? [] : [contentFinding(exhibit, 'it is not over a finished input')]
  }

  /** Many in one call; only if it objects is each asked for, to learn which it is. */
  async #xmlsec(page: readonly Exhibit[]): Promise<readonly Finding[]> {
    const args = ['--verify', '--trusted-pem', this.#rootPem, '--enabled-key-data', 'x509']
    const { text } = await runTool('xmlsec1', [...args, ...page.map(({ path }) => path)])
    if (text.split('\n').filter((line) => line === 'OK').length === page.length) return []
    if (page.length === 1) return [{ exhibit: page[0]!, about: 'signature', text: `xmlsec1 says: ${text}` }]
    return (await inLanes(page, (one) => this.#xmlsec([one]))).flat()
  }
}

const contentFinding = (exhibit: Exhibit, text: string): Finding => ({ exhibit, about: 'content', text })

const formats: Readonly<Record<string, SignatureFormat>> = { pdf: 'Pades', xml: 'Xades' }

const formatOf = ({ name }: Delivery): SignatureFormat => formats[name.slice(name.lastIndexOf('.') + 1)] ?? 'Cades'

const validators = { Pades: validatePades, Cades: validateCades, Xades: validateXades } as const

const isSound = ({ signatures }: ValidationReport): boolean =>
  signatures.length === 1 &&
  signatures.every(({ integrity, coverage }) => isIntact(integrity) && coverage.wholeDocument)

/** Whether the signed bytes are those of a finished version; openssl tells it of CAdES. */
const isOver: Readonly<Record<SignatureFormat, (signed: Buffer, file: SiteFile) => boolean>> = {
  Pades: (signed, { versions }) =>
    versions.some(({ length, sha256: hash }) => sha256(signed.subarray(0, length)) === hash),
  Xades: (signed, { versions }) => isVersion(withoutSignature(signed), versions),
  Cades: () => true,
}

const isVersion = (bytes: Uint8Array, versions: SiteFile['versions']): boolean =>
  versions.some(({ sha256: hash }) => hash === sha256(bytes))

/** The document as it was: an enveloped signature is one element more. */
const withoutSignature = (signed: Buffer): Buffer =>
  Buffer.from(signed.toString('latin1').replace(/<(\w+:)?Signature[\s>][\s\S]*<\/(\w+:)?Signature>/, ''), 'latin1')

async function pdfsig(exhibit: Exhibit): Promise<readonly Finding[]> {
  const { text } = await runTool('pdfsig', ['-nocert', exhibit.path])
  return text.includes('Signature is Valid.') ? [] : [{ exhibit, about: 'signature', text: `pdfsig says: ${text}` }]
}

async function opensslCms(exhibit: Exhibit): Promise<readonly Finding[]> {
  const args = ['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', exhibit.path]
  const { ok, text, stdout } = await openssl(args)
  if (!ok) return [{ exhibit, about: 'signature', text: `openssl says: ${text}` }]
  if (isVersion(stdout, exhibit.file.versions)) return []
  return [contentFinding(exhibit, `openssl finds ${stdout.length} bytes in it that no writer had finished`)]
}

const pagesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, page) =>
    items.slice(page * AT_ONCE, (page + 1) * AT_ONCE),
  )

async function inLanes<T, Result>(items: readonly T[], work: (item: T) => Promise<Result>): Promise<Result[]> {
  const [results, waiting]: [Result[], T[]] = [[], [...items]]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}
