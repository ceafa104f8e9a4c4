import { randomUUID } from 'node:crypto'
import { type Clock, MINUTE, SECOND, systemClock } from '@chancela/service-kernel/clock'
import { type AgentMessage, MAX_CERTIFICATES, type ServerMessage } from '@chancela/session-server/channel'
import { holderOf } from '@chancela/signature-engine/x509'
import { answerOffer, answerPinCheck, answerPrompt, answerSign, forgetPins } from './answers.ts'
import { ApprovedKeys } from './approvals/approved-keys.ts'
import { ApprovalPrompts } from './approvals/ask-approval.ts'
import { codeView } from './approvals/code-view.ts'
import { Pairing, type PairingResult } from './approvals/pairing.ts'
import type { BackOff } from './back-off.ts'
import { AgentHome } from './home.ts'
import { LinkStatus } from './link-status.ts'
import { Moment } from './moment.ts'
import { HolderPrompt } from './prompt/ask-holder.ts'
import { desktopBrowser, type OpenBrowser } from './prompt/open-browser.ts'
import { Screen } from './prompt/screen.ts'
import type { Terminal } from './prompt/terminal.ts'
import { ServerLink } from './server-link.ts'
import { KeySources } from './sources/key-sources.ts'
import type { Offer } from './update/offer.ts'
import { dropFormer, offerIn, ownExecutable } from './update/update.ts'
import { AgentWindow } from './window/agent-window.ts'
import { Journal } from './window/journal.ts'

export interface AgentOptions {
  /** The agent's folder. */
  readonly home: string
  /** Gets sentences for the user; none of them contains a PIN. */
  readonly log?: (sentence: string) => void
  /** Opens a page; default the desktop's browser. */
  readonly openBrowser?: OpenBrowser
  /** Asks the holder when no page can be opened. */
  readonly terminal?: Terminal | undefined
  /** Milliseconds between two polls of tokens and files; default 2,000. */
  readonly pollMilliseconds?: number
  /** Between attempts to connect; default from 1 second to 1 minute. */
  readonly backOff?: BackOff
  readonly clock?: Clock
  /** The user's language, for the terminal; default from the environment. */
  readonly language?: string | undefined
  /** The program's file, which an update replaces; default its own where it is a package. */
  readonly executable?: string | undefined
}

/** An agent that runs. */
export interface RunningAgent {
  readonly workstationId: string
  /** Resolves when it was stopped, or when the server no longer knows it. Every PIN is dropped by then. */
  readonly ended: Promise<'stopped' | 'refused'>
  /** Resolves when the server has let it in for the first time. */
  readonly connected: Promise<void>
  /** Resolves when the first approval that was asked for is over, however it ended. */
  readonly approvalOver: Promise<void>
  /** Joins the page that shows this code: its request is shown to the holder. */
  pair(code: string): Promise<PairingResult>
  /** Opens the window in which a code is typed; false where there is no desktop. */
  openCodeWindow(): Promise<boolean>
  /** Opens the window in which the agent tells of itself; false where there is no desktop. */
  openWindow(): Promise<boolean>
  stop(): Promise<void>
}

/** Starts an agent on an enrolled folder: it connects, publishes its certificates, and answers until it is stopped. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const agent = new Agent(options)
  await agent.begin()
  return agent
}

/** How long the window for a code stays open. */
const CODE_WINDOW = 15 * MINUTE

const RECONNECTING: BackOff = { first: SECOND, longest: 60 * SECOND }

class Agent implements RunningAgent {
  readonly workstationId: string
  readonly #log: (sentence: string) => void
  readonly #pollMilliseconds: number
  readonly #release: () => void
  readonly #sources: KeySources
  readonly #screen: Screen
  readonly #holder: HolderPrompt
  readonly #approved: ApprovedKeys
  readonly #prompts: ApprovalPrompts
  readonly #pairing: Pairing
  readonly #home: AgentHome
  readonly #link: ServerLink
  readonly #status: LinkStatus
  readonly #window: AgentWindow
  readonly #ending = new AbortController()
  readonly #connected = new Moment()
  readonly #approvalOver = new Moment()
  #ended: Promise<'stopped' | 'refused'> | undefined
  #poll: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(options: AgentOptions) {
    const home = new AgentHome(options.home)
    const enrolment = home.readEnrolment()
    this.#home = home
    this.workstationId = enrolment.workstationId
    const clock = options.clock ?? systemClock
    const openBrowser = options.openBrowser ?? desktopBrowser()
    const journal = new Journal(home.journalFile, clock)
    this.#log = (sentence) => {
      journal.write(sentence)
      options.log?.(sentence)
    }
    this.#pollMilliseconds = options.pollMilliseconds ?? 2 * SECOND
    this.#sources = new KeySources(home, this.#log)
    this.#screen = new Screen({
      openBrowser,
      terminal: options.terminal,
      language: options.language ?? process.env.LC_ALL ?? process.env.LANG,
    })
    const asking = {
      clock,
      screen: this.#screen,
      server: enrolment.server,
      log: this.#log,
    }
    this.#holder = new HolderPrompt(this.#sources, asking)
    this.#approved = new ApprovedKeys(this.#log)
    this.#prompts = new ApprovalPrompts(this.#sources, { ...asking, approved: this.#approved })
    this.#pairing = new Pairing((message) => this.#link.send(message))
    this.#status = new LinkStatus(clock)
    this.#window = new AgentWindow({
      clock,
      openBrowser,
      home,
      executable: options.executable ?? ownExecutable(),
      enrolment,
      status: this.#status,
      sources: this.#sources,
      approved: this.#approved,
      journal,
    })
    this.#link = new ServerLink({
      enrolment,
      status: this.#status,
      clock,
      backOff: options.backOff ?? RECONNECTING,
      log: this.#log,
      onMessage: (message) => this.#hear(message),
      onEnd: () => this.#endQuestions(),
    })
    this.#release = home.lock()
  }

  get ended(): Promise<'stopped' | 'refused'> {
    return this.#ended!
  }

  get connected(): Promise<void> {
    return this.#connected.promise
  }

  get approvalOver(): Promise<void> {
    return this.#approvalOver.promise
  }

  async begin(): Promise<void> {
    await this.#look()
    this.#ended = this.#link.run().then(async (end) => {
      await this.#rest()
      return end
    })
    this.#lookLater()
  }

  pair(code: string): Promise<PairingResult> {
    return this.#pairing.pair(code)
  }

  openCodeWindow(): Promise<boolean> {
    const until = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(CODE_WINDOW)])
    return this.#screen.show(codeView(this.#pairing, this.#prompts, until))
  }

  openWindow(): Promise<boolean> {
    return this.#window.open()
  }

  async stop(): Promise<void> {
    this.#link.stop()
    await this.#ended
  }

  /** Drops every PIN. */
  async #rest(): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#poll)
    this.#holder.takeBackAll('stopped')
    this.#screen.close()
    this.#window.close()
    await this.#looking
    await this.#sources.lockAll()
    this.#release()
  }

  /** Questions and approvals are for the connection they came through: nobody hears of an answer later. */
  async #endQuestions(): Promise<void> {
    this.#holder.takeBackAll('disconnected')
    this.#prompts.takeBackAll('disconnected')
    if (this.#approved.size > 0) this.#approvalOver.happen()
    await this.#approved.endAll()
  }

  /** Another process of this user asks for the window. */
  async #takeWindowRequest(): Promise<void> {
    const id = this.#home.takeWindowRequest()
    if (id !== undefined) this.#home.answerPairing(id, (await this.openWindow()) ? 'opened' : 'no-screen')
  }

  /** A code that another process of this user handed over. */
  async #takePairing(): Promise<void> {
    const request = this.#home.takePairing()
    if (!request) return
    const { id, code } = request
    const result = code === undefined ? await this.#opened() : await this.pair(code)
    this.#home.answerPairing(id, result)
  }

  async #opened(): Promise<'opened' | 'no-screen'> {
    return (await this.openCodeWindow()) ? 'opened' : 'no-screen'
  }

  #lookLater(): void {
    if (this.#ending.signal.aborted) return
    this.#poll = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#lookLater())
    }, this.#pollMilliseconds)
  }

  async #look(): Promise<void> {
    try {
      if (this.#home.isAskedToStop()) this.#link.stop()
      if (await this.#sources.look()) this.#publish()
      await this.#takeWindowRequest()
      // Before that nobody could be asked about a code, and the start would wait for it.
      if (this.#connected.hasHappened) await this.#takePairing()
    } catch (error) {
      this.#log(`Tokens and files cannot be looked at: ${(error as Error).message}.`)
    }
  }

  #publish(): void {
    const certificates = this.#sources.all
      .flatMap((source) => source.certificates.map((held) => ({ ...held, source: source.name.slice(0, 200) })))
      .slice(0, MAX_CERTIFICATES)
      .map(({ certificate, chain, source }) => ({
        der: certificate.der.toString('base64'),
        chain: chain.slice(0, 8).map(({ der }) => der.toString('base64')),
        source,
      }))
    this.#link.send({ type: 'certificates', id: randomUUID(), certificates })
  }

  async #hear(message: ServerMessage): Promise<void> {
    const answer = await this.#answerTo(message)
    if (answer) this.#link.send(answer)
    // Only once the server knows: whoever waits for it may stop the agent.
    if (endsApproval(message, answer)) this.#approvalOver.happen()
  }

  async #answerTo(message: ServerMessage): Promise<AgentMessage | undefined> {
    const context = { sources: this.#sources, holder: this.#holder, approved: this.#approved, log: this.#log }
    switch (message.type) {
      case 'welcome':
        this.#log(`Connected as ${message.name}.`)
        this.#status.isWelcome()
        this.#heedOffer(message.agent)
        this.#connected.happen()
        await forgetPins(context, message.forget)
        this.#publish()
        return { type: 'forgotten', to: message.id }
      case 'offer':
        return answerOffer(context, message)
      case 'prompt':
        return answerPrompt(context, message)
      case 'take-back':
        this.#holder.takeBack(message.prompt)
        this.#prompts.takeBack(message.prompt)
        return undefined
      case 'approve':
        return this.#prompts.answer(message)
      case 'sign-approved':
        return this.#approved.sign(message)
      case 'approval-over':
        await this.#approved.end(message.approval)
        return undefined
      case 'paired':
        this.#pairing.hear(message)
        return undefined
      case 'check-pin':
        return answerPinCheck(context, message)
      case 'sign':
        return answerSign(context, message)
      case 'forget':
        await forgetPins(context, message.fingerprints)
        return { type: 'forgotten', to: message.id }
      case 'published':
        for (const name of this.#namesOf(message.ignored))
          this.#log(`The server does not take the certificate of ${name} from this workstation.`)
        return undefined
      case 'problem':
        this.#log(`The server did not understand: ${message.message}`)
        return undefined
      case 'refused':
        // Ends the link, and drops every PIN.
        return undefined
      case 'ping':
        // Answered by the connection.
        return undefined
    }
  }

  /** Told once for each version; the holder installs it, or not. A folder that cannot be written is no reason to end. */
  #heedOffer(offer: Offer | undefined): void {
    try {
      const before = offerIn(this.#home)?.version
      this.#home.writeOffer(offer)
      const now = offerIn(this.#home)?.version
      if (now !== undefined && now !== before) this.#log(`Version ${now} of the agent is there: chancela-agent update.`)
      dropFormer(this.#home)
    } catch (error) {
      this.#log(`The offered version cannot be noted: ${(error as Error).message}.`)
    }
  }

  #namesOf(fingerprints: readonly string[]): readonly string[] {
    return this.#sources.all
      .flatMap(({ certificates }) => certificates)
      .filter(({ certificate }) => fingerprints.includes(certificate.fingerprint))
      .map(({ certificate }) => holderOf(certificate).name)
  }
}

/** Whether an approval is over after this message and its answer. */
function endsApproval({ type }: ServerMessage, answer: AgentMessage | undefined): boolean {
  if (type === 'approve') return answer?.type === 'approved' && answer.result !== 'approved'
  return type === 'sign-approved' || type === 'approval-over'
}
