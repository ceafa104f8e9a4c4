import { EngineError } from '@chancela/signature-engine'
import { listPkcs11Certificates, listPkcs11Tokens, type Pkcs11TokenInfo } from '@chancela/signature-engine/keys'
import type { AgentHome, FileEntry, SourceEntry, TokenEntry } from '../home.ts'
import { FileSource, fileId } from './file-source.ts'
import type { Source } from './source.ts'
import { TokenSource, tokenId } from './token-source.ts'

type Log = (sentence: string) => void

/** The tokens and files of this machine, updated as they appear and disappear. */
export class KeySources {
  readonly #home: AgentHome
  readonly #log: Log
  #sources: readonly Source[] = []
  /** The last log message of an entry, so that it is logged once. */
  readonly #said = new Map<string, string>()
  /** Modules that could not be used the last time. */
  readonly #failed = new Set<string>()

  constructor(home: AgentHome, log: Log) {
    this.#home = home
    this.#log = log
  }

  get all(): readonly Source[] {
    return this.#sources
  }

  /** What is not here that signing needs, the first thing to set up first; nothing where a certificate is here. */
  get missing(): 'source' | 'driver' | 'token' | 'certificate' | undefined {
    if (this.#sources.some(({ certificates }) => certificates.length > 0)) return undefined
    if (this.#sources.length > 0) return 'certificate'
    if (this.#home.readSources().length === 0) return 'source'
    return this.#failed.size > 0 ? 'driver' : 'token'
  }

  /** Why tokens and modules are not used, as it was said last. */
  get problems(): readonly string[] {
    return [...this.#said.values()].filter((sentence) => sentence !== '')
  }

  /** The sources that hold one of these certificates. */
  holding(fingerprints: readonly string[]): readonly Source[] {
    return this.#sources.filter((source) =>
      source.certificates.some(({ certificate }) => fingerprints.includes(certificate.fingerprint)),
    )
  }

  /** Updates the list of sources; returns whether it has changed. The PIN of a removed token is dropped. */
  async look(): Promise<boolean> {
    const found: Source[] = []
    for (const entry of this.#home.readSources()) found.push(...(await this.#sourcesOf(entry)))
    const now = unique(found)
    const before = this.#sources
    this.#sources = now
    const gone = before.filter((source) => !now.includes(source))
    for (const source of gone) {
      this.#log(`${source.name} is away${source.hasPin ? '; its PIN is forgotten' : ''}.`)
      await source.lock()
    }
    for (const source of now) if (!before.includes(source)) this.#log(`${source.name} is here.`)
    return gone.length > 0 || now.length !== before.length
  }

  /** Drops every PIN. */
  async lockAll(): Promise<void> {
    for (const source of this.#sources) await source.lock()
  }

  #sourcesOf(entry: SourceEntry): Promise<readonly Source[]> | readonly Source[] {
    return entry.kind === 'token' ? this.#tokensOf(entry) : this.#fileOf(entry)
  }

  /** Certificates are read from a token once, when it appears: reading a card is slow. */
  async #tokensOf(entry: TokenEntry): Promise<readonly Source[]> {
    const { module } = entry
    try {
      const present = (await listPkcs11Tokens(module)).filter((info) => this.#isMeant(entry, info))
      const known = present.map((info) => this.#known(tokenId(module, info)))
      this.#say(module, '')
      this.#failed.delete(module)
      if (known.every((source) => source !== undefined)) return known
      const shown = await listPkcs11Certificates(module)
      return present.flatMap((info) => {
        const id = tokenId(module, info)
        const fresh = shown.find((each) => tokenId(module, each.info) === id)
        return this.#known(id) ?? (fresh ? new TokenSource(module, fresh) : [])
      })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#say(module, error.message)
      this.#failed.add(module)
      return []
    }
  }

  #isMeant({ token }: TokenEntry, info: Pkcs11TokenInfo): boolean {
    if (token !== undefined && token !== info.label && token !== info.serialNumber) return false
    if (!info.protectedAuthenticationPath) return true
    this.#say(info.label, `${info.label} takes its PIN at the reader, where it cannot be compared: it is not used.`)
    return false
  }

  #fileOf(entry: FileEntry): readonly Source[] {
    const source = (this.#known(fileId(entry)) as FileSource | undefined) ?? new FileSource(entry)
    return source.isThere ? [source] : []
  }

  #known(id: string): Source | undefined {
    return this.#sources.find((source) => source.id === id)
  }

  #say(about: string, sentence: string): void {
    if (this.#said.get(about) === sentence) return
    this.#said.set(about, sentence)
    if (sentence !== '') this.#log(sentence)
  }
}

/** A token that two entries match counts once. */
const unique = (sources: readonly Source[]): readonly Source[] => [
  ...new Map(sources.map((source) => [source.id, source])).values(),
]
