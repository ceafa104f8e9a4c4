import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import { joinedValidationData } from '../judgement/joined-validation-data.ts'
import type { Judge, ValidationData } from '../judgement/judge-certificate.ts'
import type { Finding } from '../report/report.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { checkTokenSignature, readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type OutsideContents, signedContent } from './content.ts'
import { refuseJades } from './errors.ts'
import { readHeader } from './header.ts'
import { archiveInput } from './judge-timestamps.ts'
import { type Jws, type JwsSignature, readJws, writeJws } from './jws.ts'
import type { JadesLevel } from './prepare-jades.ts'
import {
  componentsIn,
  materialIn,
  tokenComponent,
  tokenDataComponent,
  tokensOf,
  type UnsignedComponent,
  valueComponents,
  withComponents,
} from './unsigned.ts'

export interface ExtendJadesOptions extends Pick<OutsideContents, 'content' | 'contents'> {
  readonly level: Exclude<JadesLevel, 'B-B'>
  readonly now: Date
  readonly timestamps: TimestampClient
  /** Collects certificates and revocation data; levels above B-T need it. */
  readonly judge?: Judge
  /** Position of the signature to extend; default: all of them. */
  readonly signature?: number
}

type Step = 'sigTst' | 'values' | 'arcTst'

/** What each level adds. A step that was taken is skipped; archive timestamps renew. */
const steps: Readonly<Record<ExtendJadesOptions['level'], readonly Step[]>> = {
  'B-T': ['sigTst'],
  'B-LT': ['sigTst', 'values'],
  'B-LTA': ['sigTst', 'values', 'arcTst'],
}

/** Refuses a level without what it needs, before a key is used. */
export function requireHelpers(
  level: JadesLevel,
  { timestamps, judge }: { timestamps?: unknown; judge?: unknown },
): void {
  if (level === 'B-B') return
  if (!Object.hasOwn(steps, level)) throw refuseJades('jades.level-unknown', { level })
  if (!timestamps) throw refuseJades('jades.timestamps-needed', { level })
  if (steps[level].length > 1 && !judge) throw refuseJades('jades.judge-needed', { level })
}

/** Brings signatures to a higher level; what is signed keeps every character. A compact JWS becomes a flattened one. */
export async function extendJades(file: Uint8Array, options: ExtendJadesOptions): Promise<Buffer> {
  requireArguments('extendJades', { file: [file, 'bytes'] }, options, ['now', 'level', 'timestamps'])
  requireHelpers(options.level, options)
  const jws = readJws(file)
  const signatures: JwsSignature[] = []
  for (const [at, signature] of jws.signatures.entries()) {
    const isChosen = options.signature === undefined || options.signature === at
    signatures.push(isChosen ? await extended(jws, signature, options) : signature)
  }
  return writeJws({
    ...jws,
    serialization: jws.serialization === 'compact' ? 'flattened' : jws.serialization,
    signatures,
  })
}

async function extended(jws: Jws, signature: JwsSignature, options: ExtendJadesOptions): Promise<JwsSignature> {
  let current = signature
  for (const step of steps[options.level])
    current = withComponents(current, ...(await additions[step](jws, current, options)))
  return current
}

type Additions = (jws: Jws, signature: JwsSignature, options: ExtendJadesOptions) => Promise<readonly string[]>

const additions: Readonly<Record<Step, Additions>> = {
  async sigTst(_jws, signature, { timestamps }) {
    if (componentsOf(signature).some(({ name }) => name === 'sigTst')) return []
    const imprint = digest('sha256', Buffer.from(signature.signatureText, 'latin1'))
    return [tokenComponent('sigTst', (await timestamps.stampDigest('sha256', imprint)).token)]
  },

  async values(_jws, signature, options) {
    const components = componentsOf(signature)
    if (components.some(({ name }) => name === 'xVals' || name === 'rVals')) return []
    const own = await dataOfSigner(signature, components, options)
    return valueComponents(
      joinedValidationData([own, ...(await dataOfTokens(tokensIn(signature, 'sigTst'), signature, options))]),
    )
  },

  async arcTst(jws, signature, options) {
    // The newest archive timestamp gets its own data, which the next one is then over.
    const before = componentsOf(signature)
    const last = before.findLast(({ name }) => name === 'arcTst')
    const data = last ? await dataOfTokens(tokensOf(last.value), signature, options) : []
    const added = data.length > 0 ? [tokenDataComponent(joinedValidationData(data))] : []
    const texts = [...before.map(textOf), ...added]
    const { archived } = signedContent(jws, readHeader(signature, []), options)
    const input = archiveInput(signature, texts, archived)
    if (!input) throw refuseJades('jades.content-needed')
    const { token } = await options.timestamps.stampDigest('sha256', digest('sha256', input))
    return [...added, tokenComponent('arcTst', token)]
  },
}

const componentsOf = ({ unprotected }: JwsSignature): readonly UnsignedComponent[] => componentsIn(unprotected.etsiU)

function textOf({ text }: UnsignedComponent): string {
  if (text === undefined) throw refuseJades('jades.not-extensible', { reason: 'its components are not in base64url' })
  return text
}

/** The signed timestamps over the content, and those of components of this name. */
const tokensIn = (signature: JwsSignature, name: string): Buffer[] => [
  ...readHeader(signature, []).contentTimestamps,
  ...componentsOf(signature).flatMap((one) => (one.name === name ? tokensOf(one.value) : [])),
]

/** The signer's path and revocation data, for the time of the signature timestamp. */
function dataOfSigner(
  signature: JwsSignature,
  components: readonly UnsignedComponent[],
  options: ExtendJadesOptions,
): Promise<ValidationData> {
  const { chain } = readHeader(signature, [])
  if (!chain[0]) throw refuseJades('jades.not-extensible', { reason: 'its certificate is not in it' })
  const stamped = components.find(({ name }) => name === 'sigTst')
  const [token] = stamped ? tokensOf(stamped.value) : []
  const at = token ? readTimestampToken(token).time : options.now
  return dataOf(chain[0], at, 'signing', chain, components, options)
}

async function dataOfTokens(
  tokens: readonly Buffer[],
  signature: JwsSignature,
  options: ExtendJadesOptions,
): Promise<ValidationData[]> {
  const all: ValidationData[] = []
  for (const token of tokens) {
    const read = readTimestampToken(token)
    const { certificate } = checkTokenSignature(read)
    if (!certificate) throw refuseJades('jades.not-extensible', { reason: 'a timestamp has no certificate' })
    all.push(await dataOf(certificate, read.time, 'timestamping', read.certificates, componentsOf(signature), options))
  }
  return all
}

function dataOf(
  certificate: Certificate,
  at: Date,
  purpose: 'signing' | 'timestamping',
  certificates: readonly Certificate[],
  components: readonly UnsignedComponent[],
  { judge, now }: ExtendJadesOptions,
): Promise<ValidationData> {
  const unread: Finding[] = []
  const { evidence } = materialIn(components, unread)
  return judge!.validationData(certificate, { at, now, purpose, certificates, evidence })
}
