// Links to files: whoever has one reads the file for a while, without a key (pki-core facts 4.2).
import { readUrl } from '@chancela/service-kernel/addresses'
import { type Clock, MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import { downloadFile } from '../../contract/files.ts'

/** What a link is for: it ends with what it is about. */
export type LinkedFile =
  | { readonly kind: 'upload'; readonly id: string }
  | { readonly kind: 'original' | 'signed'; readonly id: string }
  /** A document of a session that nobody has signed yet. */
  | { readonly kind: 'session'; readonly id: string }

const SEAL = 'pki-core/file-link'

export class FileLinks {
  readonly #secrets: Secrets
  readonly #clock: Clock
  readonly #minutes: number
  readonly #publicUrl: string | undefined

  constructor(secrets: Secrets, clock: Clock, options: { minutes: number; publicUrl: string | undefined }) {
    this.#secrets = secrets
    this.#clock = clock
    this.#minutes = options.minutes
    this.#publicUrl = options.publicUrl
  }

  /** Absolute; `base` is where the caller reached the service, for one that was not told its public address. */
  to(file: LinkedFile, base: string): string {
    const until = plus(this.#clock(), this.#minutes * MINUTE).getTime()
    const ticket = Buffer.from(this.#secrets.seal(JSON.stringify([until, file]), SEAL)).toString('base64url')
    return `${(this.#publicUrl ?? base).replace(/\/$/, '')}${downloadFile.path}?access_ticket=${ticket}`
  }

  /** What a ticket is for; undefined for one that is none or has expired. */
  open(ticket: string): LinkedFile | undefined {
    const [until, file] = this.#opened(ticket) ?? [0]
    return until >= this.#clock().getTime() ? file : undefined
  }

  /** What a link of this service is for; undefined for any other address. Its path may be given alone. */
  ownLink(url: string, base: string): LinkedFile | undefined {
    const home = this.#publicUrl ?? base
    // Where the caller says it reached the service, it may say anything.
    const origin = readUrl(home)?.origin
    const at = origin === undefined ? undefined : readUrl(url, home)
    if (!at || at.origin !== origin || at.pathname.toLowerCase() !== downloadFile.path) return undefined
    return this.open(at.searchParams.get('access_ticket') ?? '')
  }

  #opened(ticket: string): readonly [number, LinkedFile] | undefined {
    try {
      return JSON.parse(this.#secrets.openText(Buffer.from(ticket, 'base64url').toString('latin1'), SEAL))
    } catch (error) {
      if (error instanceof SecretProblem) return undefined
      throw error
    }
  }
}
