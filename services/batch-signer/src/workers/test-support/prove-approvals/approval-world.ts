import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openssl } from '@chancela/testkit/tools'
import type { Random } from '../prove/random.ts'
import {
  API_KEY,
  type FolderName,
  folderNames,
  inputOf,
  type LifeOrder,
  people,
  STRANGER,
  workOf,
} from './approval-plan.ts'
import { ApprovalProcess } from './approval-process.ts'
import { brokenBy, type Call, type FinalFile, type FinalJob, type History } from './check-history.ts'

export interface WorldOptions {
  readonly program: string
  readonly order: LifeOrder
  readonly random: Random
  /** Processes at once: two need a cluster. */
  readonly instances: number
  readonly kills: number
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
  readonly status: string
}

interface JobView extends ListedJob {
  readonly errorCode: string | null
  readonly inputDisposal: string
}

interface RecordView {
  readonly rule: { readonly required: number; readonly contentSha256: string }
  readonly decisions: readonly { readonly approverEmail: string; readonly decision: Call['decision'] }[]
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
  readonly #tampered = new Set<string>()
  #isOver = false

  constructor(options: WorldOptions) {
    this.#options = options
    const { root } = options.order
    for (const folder of folderNames) mkdirSync(inputOf(root, folder), { recursive: true })
    mkdirSync(join(root, 'made'))
  }

  async run(): Promise<WorldReport> {
    const { instances } = this.#options
    try {
      for (let at = 0; at < instances; at += 1) await this.#begin(at)
      const acting = [this.#give(), ...people.map(({ Email }) => this.#decide(Email)), this.#operate()]
      await this.#killAll()
      this.#isOver = true
      await Promise.all(acting)
      await this.#settle()
      return await this.#report()
    } finally {
      await Promise.all(this.#processes.map((one) => one.kill()))
    }
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
  async #decide(email: string): Promise<void> {
    const { random } = this.#options
    while (!this.#isOver) {
      const jobs = await this.#jobs(random.chance(0.8) ? 'status=AwaitingApproval' : '')
      if (jobs.length > 0) {
        const { id } = random.pick(jobs)
        const decision = random.chance(0.15) ? 'rejected' : 'approved'
        const who = random.chance(0.03) ? STRANGER : email
        const times = random.chance(0.15) ? 2 : 1
        await Promise.all(Array.from({ length: times }, () => this.#say(id, who, decision)))
      }
      await setTimeout(random.below(120))
    }
  }

  /** Cancels some, pauses at times, and somebody else alters a copy that people decide about. */
  async #operate(): Promise<void> {
    const { random, order } = this.#options
    while (!this.#isOver) {
      await setTimeout(300 + random.below(900))
      const jobs = await this.#jobs('status=AwaitingApproval')
      if (jobs.length === 0) continue
      const job = random.pick(jobs)
      const act = random.next()
      if (act < 0.2) await this.#call('POST', `/api/jobs/${job.id}/cancel`)
      else if (act < 0.4) {
        await this.#call('POST', '/api/pipeline/pause')
        await setTimeout(random.below(400))
        await this.#call('POST', '/api/pipeline/resume')
      } else if (act < 0.5) {
        const copy = join(workOf(order.root), 'processing', job.id, job.fileName)
        if (!existsSync(copy)) continue
        this.#tampered.add(job.fileName)
        writeFileSync(copy, 'altered by somebody')
      }
    }
  }

  async #say(jobId: string, email: string, decision: Call['decision']): Promise<void> {
    const answer = await this.#call('POST', `/api/approvals/${jobId}`, { email, decision }, null)
    const { released, terminated } = (answer?.body ?? {}) as Partial<Call>
    this.#calls.push({
      jobId,
      email,
      decision,
      ...(answer && { status: answer.status }),
      ...(released !== undefined && { released }),
      ...(terminated !== undefined && { terminated }),
    })
  }

  async #jobs(query: string): Promise<readonly ListedJob[]> {
    const answer = await this.#call('GET', `/api/jobs?pageSize=200&${query}`)
    return answer?.status === 200 ? (answer.body as { items: ListedJob[] }).items : []
  }

  async #call(method: string, path: string, body?: object, key: string | null = API_KEY) {
    const { baseUrl } = this.#options.random.pick(this.#processes)
    if (baseUrl === undefined) return undefined
    try {
      const answer = await fetch(new URL(path, baseUrl), {
        method,
        headers: { ...(key !== null && { 'X-API-Key': key }), ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as unknown }
    } catch {
      // The process died, before or after it wrote: the end shows what came of it.
      return undefined
    }
  }

  /** Everything that moves by itself has come to rest. */
  async #settle(): Promise<void> {
    await this.#call('POST', '/api/pipeline/resume')
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
    const { fileName, status, errorCode, inputDisposal } = (await this.#call('GET', `/api/jobs/${id}`))!.body as JobView
    const record = (await this.#call('GET', `/api/jobs/${id}/approvals`))!
    const { rule, decisions } = record.body as RecordView
    const isKnown = record.status === 200
    return {
      id,
      fileName,
      status,
      code: errorCode,
      isPending: inputDisposal === 'pending',
      required: isKnown ? rule.required : null,
      contentSha256: isKnown ? rule.contentSha256 : null,
      recorded: isKnown ? decisions.map(({ approverEmail: email, decision }) => ({ email, decision })) : [],
    }
  }

  async #report(): Promise<WorldReport> {
    const jobs = await this.#finalJobs()
    const files = await Promise.all(this.#given.map((one) => this.#finalFile(one, jobs)))
    const history = { calls: this.#calls, jobs, files }
    return {
      calls: this.#calls.length,
      taken: this.#calls.filter(({ status }) => status === 200).length,
      unanswered: this.#calls.filter(({ status }) => status === undefined).length,
      tampered: this.#tampered.size,
      history,
      broken: brokenBy(history),
    }
  }

  async #finalFile({ name, folder, sha256 }: Given, jobs: readonly FinalJob[]): Promise<FinalFile> {
    const { root } = this.#options.order
    const output = join(workOf(root), 'output')
    const ids = jobs.filter(({ fileName }) => fileName === name).map(({ id }) => id)
    const [signed, handedBack] = [`${name}.p7m`, name.replace('.rem', '.reject.rem')]
    return {
      name,
      sha256,
      signed: existsSync(join(output, signed)) ? [await signedContent(join(output, signed))] : [],
      handedBack: existsSync(join(output, handedBack)) ? [digest(readFileSync(join(output, handedBack)))] : [],
      isInInput: existsSync(join(inputOf(root, folder), name)),
      isInError: ids.some((id) => isThere(join(workOf(root), 'error', id), name)),
    }
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isThere = (folder: string, name: string): boolean => existsSync(folder) && readdirSync(folder).includes(name)

/** What openssl finds inside a signature that it accepts. */
async function signedContent(path: string): Promise<string> {
  const { ok, stdout, text } = await openssl(['cms', '-verify', '-noverify', '-inform', 'DER', '-binary', '-in', path])
  return ok ? digest(stdout) : `not valid: ${text}`
}
