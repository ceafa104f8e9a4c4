import { randomUUID } from 'node:crypto'
import { type Clock, SECOND, systemClock } from '@chancela/service-kernel/clock'
import { type AgentMessage, MAX_CERTIFICATES, type ServerMessage } from '@chancela/session-server/channel'
import { holderOf } from '@chancela/signature-engine/x509'
import { answerOffer, answerPrompt, answerSign, forgetPins } from './answers.ts'
import type { BackOff } from './back-off.ts'
import { AgentHome } from './home.ts'
import { HolderPrompt } from './prompt/ask-holder.ts'
import { desktopBrowser, type OpenBrowser } from './prompt/open-browser.ts'
import { Screen } from './prompt/screen.ts'
import type { Terminal } from './prompt/terminal.ts'
import { ServerLink } from './server-link.ts'
import { KeySources } from './sources/key-sources.ts'

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
}

/** An agent that runs. */
export interface RunningAgent {
  readonly workstationId: string
  /** Resolves when it was stopped, or when the server no longer knows it. Every PIN is dropped by then. */
  readonly ended: Promise<'stopped' | 'refused'>
  stop(): Promise<void>
}

/** Starts an agent on an enrolled folder: it connects, publishes its certificates, and answers until it is stopped. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const agent = new Agent(options)
  await agent.begin()
  return agent
}

const RECONNECTING: BackOff = { first: SECOND, longest: 60 * SECOND }

class Agent implements RunningAgent {
  readonly workstationId: string
  readonly #log: (sentence: string) => void
  readonly #pollMilliseconds: number
  readonly #release: () => void
  readonly #sources: KeySources
  readonly #holder: HolderPrompt
  readonly #link: ServerLink
  #ended: Promise<'stopped' | 'refused'> | undefined
  #poll: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: AgentOptions) {
    const home = new AgentHome(options.home)
    const enrolment = home.readEnrolment()
    this.workstationId = enrolment.workstationId
    this.#log = options.log ?? (() => {})
    this.#pollMilliseconds = options.pollMilliseconds ?? 2 * SECOND
    this.#sources = new KeySources(home, this.#log)
    const screen = new Screen({
      openBrowser: options.openBrowser ?? desktopBrowser(),
      terminal: options.terminal,
      language: options.language ?? process.env.LC_ALL ?? process.env.LANG,
    })
    const asking = { clock: options.clock ?? systemClock, screen, log: this.#log }
    this.#holder = new HolderPrompt(this.#sources, asking)
    this.#link = new ServerLink({
      enrolment,
      backOff: options.backOff ?? RECONNECTING,
      log: this.#log,
      onMessage: (message) => this.#hear(message),
    })
    this.#release = home.lock()
  }

  get ended(): Promise<'stopped' | 'refused'> {
    return this.#ended!
  }

  async begin(): Promise<void> {
    await this.#look()
    this.#ended = this.#link.run().then(async (end) => {
      await this.#rest()
      return end
    })
    this.#lookLater()
  }

  async stop(): Promise<void> {
    this.#link.stop()
    await this.#ended
  }

  /** Drops every PIN. */
  async #rest(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#poll)
    this.#holder.takeBackAll()
    await this.#looking
    await this.#sources.lockAll()
    this.#release()
  }

  #lookLater(): void {
    if (this.#stopped) return
    this.#poll = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#lookLater())
    }, this.#pollMilliseconds)
  }

  async #look(): Promise<void> {
    try {
      if (await this.#sources.look()) this.#publish()
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
  }

  async #answerTo(message: ServerMessage): Promise<AgentMessage | undefined> {
    const context = { sources: this.#sources, holder: this.#holder, log: this.#log }
    switch (message.type) {
      case 'welcome':
        this.#log(`Connected as ${message.name}.`)
        await forgetPins(context, message.forget)
        this.#publish()
        return { type: 'forgotten', to: message.id }
      case 'offer':
        return answerOffer(context, message)
      case 'prompt':
        return answerPrompt(context, message)
      case 'take-back':
        this.#holder.takeBack(message.prompt)
        return undefined
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
    }
  }

  #namesOf(fingerprints: readonly string[]): readonly string[] {
    return this.#sources.all
      .flatMap(({ certificates }) => certificates)
      .filter(({ certificate }) => fingerprints.includes(certificate.fingerprint))
      .map(({ certificate }) => holderOf(certificate).name)
  }
}
