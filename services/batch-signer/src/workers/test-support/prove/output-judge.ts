import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { validateCades } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import type { ValidationReport } from '@chancela/signature-engine/report'
import { validateXades } from '@chancela/signature-engine/xades'
import { openssl, runTool } from '@chancela/testkit/tools'
import type { SignatureFormat } from '../../../rules/job.ts'
import type { DroppedFile } from './dropped-files.ts'

/** Every this many outputs, an independent program validates one as well. */
const STRANGER_EVERY = 20

/** Reports what is wrong with an output: its signature, or the signed content. */
export class OutputJudge {
  readonly #judge: Judge
  #asked = 0
  strangersAsked = 0

  constructor(judge: Judge) {
    this.#judge = judge
  }

  async problem(path: string, format: SignatureFormat, file: DroppedFile): Promise<string | undefined> {
    const options = { judge: this.#judge, now: new Date() }
    const bytes = readFileSync(path)
    const report = await validators[format](bytes, options)
    if (!isIntact(report)) return 'its signature is not intact'
    if (format === 'Pades' && sha256(bytes.subarray(0, file.length)) !== file.sha256) return 'it is not over the input'
    this.#asked += 1
    return this.#asked % STRANGER_EVERY === 0 ? this.#askStranger(path, format, file) : undefined
  }

  async #askStranger(path: string, format: SignatureFormat, file: DroppedFile): Promise<string | undefined> {
    if (format === 'Xades') return undefined
    this.strangersAsked += 1
    return format === 'Pades' ? pdfsigProblem(path) : opensslProblem(path, file)
  }
}

const validators = { Pades: validatePades, Cades: validateCades, Xades: validateXades } as const

const isIntact = ({ signatures }: ValidationReport): boolean =>
  signatures.length === 1 &&
  signatures.every(
    ({ integrity, coverage }) => integrity.contentIntact && integrity.signatureIntact && coverage.wholeDocument,
  )

async function pdfsigProblem(path: string): Promise<string | undefined> {
  const { text } = await runTool('pdfsig', ['-nocert', path])
  return text.includes('Signature is Valid.') ? undefined : `pdfsig says: ${text}`
}

async function opensslProblem(path: string, { sha256: expected }: DroppedFile): Promise<string | undefined> {
  const args = ['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', path]
  const { ok, text, stdout } = await openssl(args)
  if (!ok) return `openssl says: ${text}`
  return sha256(stdout) === expected ? undefined : 'openssl finds another content in it'
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
