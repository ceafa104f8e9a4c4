import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readExport, verifyChain } from '@chancela/service-kernel/events'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl } from '@chancela/testkit/tools'
import type { SignerSet } from '../../../rules/approval-rule.ts'
import type { Random } from '../prove/random.ts'
import {
  API_KEY,
  type FolderName,
  folderNames,
  inputOf,
  isSigned,
  type LifeOrder,
  people,
  STRANGER,
  workOf,
} from './approval-plan.ts'
import { ApprovalProcess } from './approval-process.ts'
import { type Call as CallService, callerOf } from './caller.ts'
import { brokenBy, type Call, type FinalFile, type FinalJob, type History, type SeenRule } from './check-history.ts'
import { ProofApprover } from './proof-approver.ts'
import { ProofOperator } from './proof-operator.ts'

export interface WorldOptions {
  readonly program: string
  readonly order: LifeOrder
  readonly random: Random
  /** Processes at once: two need a cluster. */
  readonly instances: number
  readonly kills: number
  /** Everybody's own certificate, by address. */
  readonly certificates: Readonly<Record<string, IssuedCertificate>>
  /** Of the key of the profiles. */
  readonly profileThumbprint: string
  /** Files that are given to the service. */
  readonly files: number
  onKill?(kill: number): void
}

/** What happened in a world. */
export interface WorldReport {
  readonly calls: number
  readonly taken: number
  readonly unanswered: number
  readonly tampered: number
  readonly edited: number
  readonly history: History
  readonly broken: ReturnType<typeof brokenBy>
}

interface Given {
  readonly name: string
  readonly folder: FolderName
  readonly sha256: string
}

interface ListedJob {
  readonly id: string
  readonly fileName: string
  readonly profileName: string
  readonly status: string
}

interface JobView extends ListedJob {
  readonly errorCode: string | null
  readonly inputDisposal: string
}

interface RecordView {
  readonly rule: { readonly required: number; readonly contentSha256: string; readonly signers: SignerSet }
  readonly pool: readonly { readonly email: string }[]
  readonly decisions: readonly {
    readonly approverEmail: string
    readonly decision: Call['decision']
    readonly secondFactorVerifiedAt: string | null
    readonly certificate: { readonly thumbprintSha256: string } | null
  }[]
}

/** Milliseconds the last life gets to end everything, and between two looks. */
const PATIENCE = 90_000
const LOOK = 200

/** Files, people who decide about them, an operator, and processes that are killed: all at random, none by agreement. */
export class ApprovalWorld {
  readonly #options: WorldOptions
  readonly #processes: ApprovalProcess[] = []
  readonly #given: Given[] = []
  readonly #calls: Call[] = []
  /** Rules as they were seen first. */
  readonly #seen = new Map<string, SeenRule>()
  readonly #call: CallService
  readonly #people: readonly ProofApprover[]
  readonly #operator: ProofOperator
  #isOver = false

  constructor(options: WorldOptions) {
    this.#options = options
    const { order, random, certificates } = options
    const { root } = order
    this.#call = callerOf(() => random.pick(this.#processes).baseUrl)
    this.#people = people.map(({ Email }) => new ProofApprover(Email, certificates[Email]!, this.#call))
    this.#operator = new ProofOperator({ call: this.#call, random, work: workOf(root) })
    for (const folder of folderNames) mkdirSync(inputOf(root, folder), { recursive: true })
    mkdirSync(join(root, 'made'))
  }

  async run(): Promise<WorldReport> {
    const { instances } = this.#options
    try {
      for (let at = 0; at < instances; at += 1) await this.#begin(at)
      for (const person of this.#people) await person.enter(this.#options.order.asksForCodes)
      const acting = [this.#give(), ...this.#people.map((person) => this.#decide(person)), this.#operate()]
      await this.#killAll()
      await this.#enough()
      this.#isOver = true
      await Promise.all(acting)
      await this.#settle()
      return await this.#report()
    } finally {
      await Promise.all(this.#processes.map((one) => one.kill()))
    }
  }

  /** On a slow machine the kills are over before anything was decided. */
  async #enough(): Promise<void> {
    const until = performance.now() + PATIENCE
    const released = () => this.#calls.filter((call) => call.released).map(({ isForged }) => isForged !== undefined)
    while (performance.now() < until && new Set(released()).size < 2) await setTimeout(LOOK)
  }

  async #begin(at: number, dies = false): Promise<void> {
    const { process, listening } = ApprovalProcess.begin(this.#options.program, this.#options.order)
    this.#processes[at] = process
    if (dies) await setTimeout(this.#options.random.below(1_500))
    else await listening
  }

  async #killAll(): Promise<void> {
    const { kills, random, onKill } = this.#options
    for (let kill = 1; kill <= kills; kill += 1) {
      await setTimeout(400 + random.below(2_500))
      const at = random.below(this.#processes.length)
      await this.#processes[at]!.kill()
      // One of four dies again while it starts and recovers.
      if (random.chance(0.25)) {
        await this.#begin(at, true)
        await this.#processes[at]!.kill()
      }
      await this.#begin(at)
      onKill?.(kill)
    }
  }

  async #give(): Promise<void> {
    const { files, random, order } = this.#options
    for (let number = 1; number <= files && !this.#isOver; number += 1) {
      const folder = random.pick(folderNames)
      const size = random.chance(0.2) ? 100_000 + random.below(200_000) : 200 + random.below(4_000)
      const content = Buffer.alloc(size, `remittance ${number} of the proof `)
      const name = `file-${number}.rem`
      writeFileSync(join(order.root, 'made', name), content)
      this.#given.push({ name, folder, sha256: digest(content) })
      renameSync(join(order.root, 'made', name), join(inputOf(order.root, folder), name))
      await setTimeout(random.below(150))
    }
  }

  /** One person: looks at what waits, and decides; sometimes twice at once, sometimes what was decided before. */
  async #decide(person: ProofApprover): Promise<void> {
    const { random } = this.#options
    while (!this.#isOver) {
      const jobs = await this.#jobs(random.chance(0.8) ? 'status=AwaitingApproval' : '')
      if (jobs.length > 0) {
        const job = random.pick(jobs)
        if (random.chance(0.2)) await this.#look(job.id)
        const times = random.chance(0.15) ? 2 : 1
        const decision = random.chance(0.15) ? 'rejected' : 'approved'
        if (decision === 'approved' && isSigned(job.profileName) && random.chance(0.95))
          await this.#sign(person, job.id, times)
        else await Promise.all(Array.from({ length: times }, () => this.#say(person, job.id, decision)))
      }
      await setTimeout(random.below(120))
    }
  }

  /** Remembers a rule as it is seen first. */
  async #look(jobId: string): Promise<void> {
    const answer = await this.#call('GET', `/api/jobs/${jobId}/approvals`, { key: API_KEY })
    if (answer?.status !== 200 || this.#seen.has(jobId)) return
    const { rule, pool } = answer.body as RecordView
    this.#seen.set(jobId, { required: rule.required, pool: pool.map(({ email }) => email) })
  }

  /** By a word: over the open route, or in the portal where codes are asked for. */
  async #say(person: ProofApprover, jobId: string, decision: Call['decision']): Promise<void> {
    const { random, order } = this.#options
    if (!order.asksForCodes) {
      const email = random.chance(0.03) ? STRANGER : person.email
      this.#calls.push({ jobId, email, decision, ...(await person.say(jobId, decision, email)) })
      return
    }
    const isCodeless = random.chance(0.1)
    const outcome = await person.decide(jobId, decision, isCodeless)
    this.#calls.push({ jobId, email: person.email, decision, isCodeless, ...outcome })
  }

  /** One of ten tries it with the certificate of another, or signs something else. */
  async #sign(person: ProofApprover, jobId: string, times: number): Promise<void> {
    const { random } = this.#options
    const isForged = random.chance(0.1)
    const isAltered = isForged && random.chance(0.5)
    const other = random.pick(this.#people.filter((one) => one !== person))
    const { issued } = isForged && !isAltered ? other : person
    for (const outcome of await person.sign(jobId, { issued, isAltered }, times))
      this.#calls.push({ jobId, email: person.email, decision: 'approved', isForged, ...outcome })
  }

  async #operate(): Promise<void> {
    while (!this.#isOver) {
      await setTimeout(300 + this.#options.random.below(900))
      const jobs = await this.#jobs('status=AwaitingApproval')
      if (jobs.length > 0) await this.#operator.act(jobs)
    }
  }

  async #jobs(query: string): Promise<readonly ListedJob[]> {
    const answer = await this.#call('GET', `/api/jobs?pageSize=200&${query}`, { key: API_KEY })
    return answer?.status === 200 ? (answer.body as { items: ListedJob[] }).items : []
  }

  /** Everything that moves by itself has come to rest. */
  async #settle(): Promise<void> {
    await this.#call('POST', '/api/pipeline/resume', { key: API_KEY })
    const until = performance.now() + PATIENCE
    while (performance.now() < until) {
      const open = (
        await Promise.all(['Queued', 'Processing', 'Verifying'].map((one) => this.#jobs(`status=${one}`)))
      ).flat()
      const jobs = await this.#finalJobs()
      const isOut = this.#given.every(({ name }) => jobs.some(({ fileName }) => fileName === name))
      if (open.length === 0 && isOut && !jobs.some(({ isPending }) => isPending)) return
      await setTimeout(LOOK)
    }
  }

  async #finalJobs(): Promise<readonly FinalJob[]> {
    const jobs: FinalJob[] = []
    for (let page = 1; ; page += 1) {
      const found = await this.#jobs(`page=${page}`)
      for (const { id } of found) jobs.push(await this.#finalJob(id))
      if (found.length < 200) return jobs
    }
  }

  async #finalJob(id: string): Promise<FinalJob> {
    const read = async (path: string) => (await this.#call('GET', path, { key: API_KEY }))!
    const { fileName, status, errorCode, inputDisposal } = (await read(`/api/jobs/${id}`)).body as JobView
    const record = await read(`/api/jobs/${id}/approvals`)
    const known = record.status === 200 ? (record.body as RecordView) : undefined
    const seen = this.#seen.get(id)
    return {
      id,
      fileName,
      status,
      code: errorCode,
      isPending: inputDisposal === 'pending',
      required: known?.rule.required ?? null,
      signers: known?.rule.signers ?? 'ProfileKey',
      pool: known?.pool.map(({ email }) => email) ?? [],
      ...(seen && { seen }),
      contentSha256: known?.rule.contentSha256 ?? null,
      recorded: known?.decisions.map(recordedOf) ?? [],
    }
  }

  async #report(): Promise<WorldReport> {
    const jobs = await this.#finalJobs()
    const files = await Promise.all(this.#given.map((one) => this.#finalFile(one, jobs)))
    const { certificates, profileThumbprint, order } = this.#options
    const own = Object.entries(certificates).map(([email, { x509 }]) => [email, thumbprintOf(x509)])
    const history = {
      calls: this.#calls,
      jobs,
      files,
      thumbprints: Object.fromEntries(own),
      profileThumbprint,
      asksForCodes: order.asksForCodes,
      chain: await this.#chainProblems(),
    }
    return {
      calls: this.#calls.length,
      taken: this.#calls.filter(({ status }) => status === 200).length,
      unanswered: this.#calls.filter(({ status }) => status === undefined).length,
      tampered: this.#operator.tampered,
      edited: this.#operator.edited,
      history,
      broken: brokenBy(history),
    }
  }

  /** Whatever was killed while it made links, they are one chain. */
  async #chainProblems(): Promise<readonly string[]> {
    const address = new URL('/dashboard/api/audit/export', this.#processes[0]!.baseUrl)
    const answer = await fetch(address, { headers: { 'X-API-Key': API_KEY } })
    const { links, problems } = await verifyChain(readExport(linesOf(await answer.text())))
    return links === 0 ? ['no links'] : problems.map(({ code, sequence }) => `${code} ${sequence}`)
  }

  async #finalFile({ name, folder, sha256 }: Given, jobs: readonly FinalJob[]): Promise<FinalFile> {
    const { root } = this.#options.order
    const output = join(workOf(root), 'output')
    const ids = jobs.filter(({ fileName }) => fileName === name).map(({ id }) => id)
    const [signed, handedBack] = [join(output, `${name}.p7m`), name.replace('.rem', '.reject.rem')]
    return {
      name,
      sha256,
      signed: existsSync(signed) ? [await signedContent(signed)] : [],
      signers: existsSync(signed) ? await signersIn(signed) : [],
      handedBack: existsSync(join(output, handedBack)) ? [digest(readFileSync(join(output, handedBack)))] : [],
      isInInput: existsSync(join(inputOf(root, folder), name)),
      isInError: ids.some((id) => isThere(join(workOf(root), 'error', id), name)),
    }
  }
}

async function* linesOf(text: string) {
  yield* text.trimEnd().split('\n')
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isThere = (folder: string, name: string): boolean => existsSync(folder) && readdirSync(folder).includes(name)

/** What openssl finds inside a signature that it accepts. */
async function signedContent(path: string): Promise<string> {
  const { ok, stdout, text } = await openssl(['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', path])
  return ok ? digest(stdout) : `not valid: ${text}`
}

/** Of every signature that openssl finds in a file. */
async function signersIn(path: string): Promise<readonly string[]> {
  const signers = `${path}.signers`
  await openssl(['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', path, '-signer', signers])
  if (!existsSync(signers)) return []
  const found = readFileSync(signers, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return found.map((pem) => thumbprintOf(new X509Certificate(pem)))
}

/** As the record has it. */
export const thumbprintOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase()

const recordedOf = (decision: RecordView['decisions'][number]) => ({
  email: decision.approverEmail,
  decision: decision.decision,
  thumbprint: decision.certificate?.thumbprintSha256 ?? null,
  hasCode: decision.secondFactorVerifiedAt !== null,
})
