import { createReadStream } from 'node:fs'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { validateCadesStream } from '@chancela/signature-engine/cades'
import { etsiReport } from '@chancela/signature-engine/etsi-report'
import {
  type Forecast,
  type ForecastOptions,
  forecastText,
  officialForecast,
  officialForecastOfPdf,
  officialForecastOfStream,
} from '@chancela/signature-engine/icp-brasil'
import { validatePadesFile } from '@chancela/signature-engine/pades'
import { type Language, reportText, reportToJson, type ValidationReport } from '@chancela/signature-engine/report'
import { asOneLine } from '@chancela/signature-engine/text'
import {
  detectFormat,
  generalPolicy,
  icpBrasilPolicy,
  readValidationPolicy,
  type ValidationPolicy,
  type VerifyOptions,
  verify,
} from '@chancela/signature-engine/verify'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import type { CommandContext } from '../command-context.ts'
import { type ColourChoice, coloured, isColoured } from './colour.ts'
import { counted, eachFile, type Outcome } from './each-file.ts'
import { type Judgement, judgementOf, type TrustOptions } from './engine-tools.ts'
import { exitCodes, leaveWith } from './exit-codes.ts'
import {
  firstBytes,
  type InputFile,
  inputFiles,
  isFile,
  isPlainFile,
  openInput,
  readInput,
  requireFile,
  sizeOf,
} from './files.ts'
import { LARGE_BYTES } from './formats.ts'
import { contentName } from './output-names.ts'
import { listedAnchors, type PolicyOptions, policyInputsOf, type TrustedListOptions } from './path-options.ts'
import { type PdfPasswordOptions, pdfPasswordOf } from './secrets.ts'
import { DASH } from './standard-streams.ts'

export interface VerifyCommandOptions extends TrustOptions, PdfPasswordOptions, PolicyOptions, TrustedListOptions {
  /** Content of a detached signature. */
  readonly content?: string
  /** Digests of that content. */
  readonly digest?: readonly string[]
  /** Validation policy: its file, or the name of one of the engine's. */
  readonly policy?: string
  /** Validate as of this time instead of now. */
  readonly at?: string
  readonly language?: Language
  readonly timeZone: string
  readonly json?: boolean
  /** Whose answer is forecast: `iti`, the official validator. */
  readonly as?: 'iti'
  /** Files with roots that stand for those of ICP-Brasil in the forecast. */
  readonly standIn?: readonly string[]
  readonly color: ColourChoice
  /** The validation report of ETSI TS 119 102-2. */
  readonly report?: 'etsi'
}

/** What is told of one file. */
interface Verified {
  readonly report: ValidationReport
  readonly forecast: Forecast
}

/** `chancela verify FILE…|FOLDER`: who signed, when, and whether the signature is trusted. */
export async function verifyCommand(
  context: CommandContext,
  paths: readonly string[],
  options: VerifyCommandOptions,
): Promise<void> {
  const now = options.at === undefined ? context.clock() : momentOf(options.at, '--at')
  const inputs = withoutContents(await inputFiles(paths))
  if (options.report && inputs.length !== 1)
    throw new StartupProblem(`--report ${options.report} is about one file, not ${inputs.length}.`)
  const policyInputs = policyInputsOf(options)
  const judgement = await judgementOf(options, { listed: await listedAnchors(options, context.clock()), policyInputs })
  if (judgement.anchorCount === 0)
    context.log('No root is trusted: `chancela trust update` brings in those of ICP-Brasil, --trust names another.')
  const contentDigests = options.digest?.length ? digestsOf(options.digest) : undefined
  const policy = options.policy === undefined ? undefined : await validationPolicy(options.policy)
  const password = await pdfPasswordOf(context, options)
  const terms = { ...judgement, now, ...(contentDigests && { contentDigests }), ...(policy && { policy }), ...password }
  const standIns = await certificatesIn(options.standIn ?? [])
  const outcomes = await eachFile(context, inputs, async (input, advance): Promise<Verified> => {
    const { report, forecast } = await verifyFile(input, terms, options.content, advance)
    return { report, forecast: await forecast({ standIns, ...password }) }
  })
  logOutcomes(context, outcomes, options)
  leaveWith(options.as === 'iti' ? forecastExitCode(outcomes) : exitCodeOf(outcomes))
}

/** Leaves out the content files of detached signatures: each is validated with its signature, not on its own. */
function withoutContents(inputs: readonly InputFile[]): InputFile[] {
  const contents = new Set(inputs.map(({ path }) => contentName(path)))
  return inputs.filter(({ path }) => !contents.has(path))
}

type Terms = Pick<Judgement, 'judge' | 'policies'> &
  Pick<VerifyOptions, 'now' | 'contentDigests' | 'password' | 'policy'>

async function verifyFile(
  { path }: InputFile,
  { judge, policies, now, contentDigests, password, policy }: Terms,
  contentPath: string | undefined,
  advance: (bytes: number) => void,
): Promise<{ report: ValidationReport; forecast: (options: ForecastOptions) => Forecast | Promise<Forecast> }> {
  const more = { ...(password !== undefined && { password }), ...(policy && { policy }) }
  const terms = { judge, policies, now, ...(contentDigests && { contentDigests }), ...more }
  // Attached CMS is streamed, and of PDF only what is needed is read; everything else of any size is read into memory.
  const large = (await sizeOf(path)) >= LARGE_BYTES ? detectFormat(await firstBytes(path), { name: path }) : undefined
  if (large === 'CAdES') {
    const report = await validateCadesStream(counted(openInput(path), advance), terms)
    return { report, forecast: (options) => officialForecastOfStream(openInput(path), report, options) }
  }
  if (large === 'PAdES' && (await isPlainFile(path))) {
    const report = await validatePadesFile(path, terms)
    return { report, forecast: (options) => officialForecastOfPdf(path, report, options) }
  }
  const document = await readInput(path)
  const beside = contentPath ?? (contentDigests ? undefined : await usualContent(path))
  const content = beside === undefined ? {} : { content: createReadStream(await requireFile(beside)) }
  // Standard input has no name that could tell anything.
  const named = path === DASH ? {} : { name: path }
  const report = await verify(document, { ...terms, ...content, ...named })
  return { report, forecast: (options) => officialForecast(document, report, options) }
}

/** One of the engine's own by its name, else the JSON in the file. */
async function validationPolicy(named: string): Promise<ValidationPolicy> {
  const own = [generalPolicy, icpBrasilPolicy].find(({ name }) => name === named)
  if (own) return own
  const text = (await readInput(named)).toString('utf8')
  try {
    return readValidationPolicy(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof EngineError)) throw error
    throw new StartupProblem(`--policy: ${named}: ${error.message}`)
  }
}

const DIGEST = /^([a-z0-9-]+):((?:[0-9a-f]{2})+)$/i

/** Digests given as `sha256:HEX`. */
function digestsOf(texts: readonly string[]): NonNullable<VerifyOptions['contentDigests']> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, hex] = DIGEST.exec(text) ?? []
      if (name === undefined) throw new StartupProblem(`--digest takes a digest such as sha256:9f86d0…, not ${text}.`)
      return [name.toLowerCase(), Buffer.from(hex!, 'hex')]
    }),
  )
}

/** The content file of a detached signature or timestamp, if it is there. */
async function usualContent(path: string): Promise<string | undefined> {
  const usual = contentName(path)
  return usual !== undefined && (await isFile(usual)) ? usual : undefined
}

function logOutcomes(
  context: CommandContext,
  outcomes: readonly Outcome<Verified>[],
  { json, report, language, timeZone, as, color }: VerifyCommandOptions,
): void {
  const { print, environment } = context
  if (report) {
    for (const outcome of outcomes) if ('result' in outcome) print(etsiReport(outcome.result.report).trimEnd())
    return
  }
  const spoken = languageOf(language, environment)
  const paint = isColoured(color, context) ? coloured : (text: string) => text
  const texts = outcomes.flatMap((outcome) =>
    'result' in outcome ? [textOf(outcome.input, outcome.result, spoken, timeZone, as)] : [],
  )
  if (json) print(JSON.stringify(outcomes.map(plain), null, 2))
  else if (texts.length > 0) print(paint(texts.join('\n\n')))
}

function textOf(
  { path }: InputFile,
  { report, forecast }: Verified,
  language: Language,
  timeZone: string,
  as: 'iti' | undefined,
): string {
  const text = `${path === DASH ? 'stdin' : asOneLine(path)}\n${reportText(report, language, { timeZone })}`
  return as === 'iti' ? `${text}\n\n${forecastText(forecast, language)}` : text
}

const plain = (outcome: Outcome<Verified>) =>
  'result' in outcome
    ? { file: outcome.input.path, ...reportToJson(outcome.result.report), forecast: outcome.result.forecast }
    : { file: outcome.input.path, error: outcome.problem }

/** The worst result. A document without a signature counts as invalid: the user asked to verify a signature. */
function exitCodeOf(outcomes: readonly Outcome<Verified>[]) {
  const verdicts = outcomes.map((outcome) => {
    if (!('result' in outcome) || outcome.result.report.signatures.length === 0) return 'invalid'
    return outcome.result.report.indication
  })
  if (verdicts.includes('invalid')) return exitCodes.failed
  return verdicts.includes('indeterminate') ? exitCodes.indeterminate : exitCodes.done
}

/** The worst forecast, in the same codes. */
function forecastExitCode(outcomes: readonly Outcome<Verified>[]) {
  const forecasts = outcomes.map((outcome) => ('result' in outcome ? outcome.result.forecast.outcome : 'reprovada'))
  if (forecasts.includes('reprovada')) return exitCodes.failed
  return forecasts.includes('indeterminada') ? exitCodes.indeterminate : exitCodes.done
}

async function certificatesIn(paths: readonly string[]): Promise<Certificate[]> {
  const files = await Promise.all(paths.map(readInput))
  return files.flatMap((file) => readCertificates(file))
}

/** Parses a time given on the command line. */
function momentOf(text: string, option: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw new StartupProblem(`${option} takes an ISO 8601 time such as 2027-01-31T12:00:00Z, not ${text}.`)
  return moment
}

/** The language of reports: the option, else that of the environment, else Brazilian Portuguese. */
function languageOf(asked: Language | undefined, environment: CommandContext['environment']): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  const locale = LC_ALL || LC_MESSAGES || LANG || ''
  return asked ?? (/^en/i.test(locale) ? 'en-US' : 'pt-BR')
}
