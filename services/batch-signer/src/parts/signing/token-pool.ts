import { KeyedMutex } from '@chancela/service-kernel/concurrency'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { openPkcs11, type Pkcs11Token } from '@chancela/signature-engine/keys'

/** Which token, and how it is opened. */
interface TokenAccess {
  readonly modulePath: string
  /** Label or serial number; the only token when absent. */
  readonly tokenLabel: string | null
  readonly pin: string | null
}

/** A hold on an open token; the last one that lets go closes it. */
interface TokenHold {
  readonly token: Pkcs11Token
  release(): Promise<void>
}

interface OpenToken {
  readonly pin: string | null
  readonly token: Pkcs11Token
  holds: number
}

/** A token is open with one PIN while others want it with another. */
export class TokenBusy extends Error {
  override readonly name = 'TokenBusy'
}

/**
 * The tokens of this process. A login belongs to the whole process, so that profiles that sign with one token share it,
 * and a signature that comes after its profile moved on opens the token for itself once more.
 */
export class TokenPool {
  readonly #open = new Map<string, OpenToken>()
  /** Opening and closing of one token, one after the other: a half-closed token cannot be opened. */
  readonly #tokens = new KeyedMutex()

  /**
   * Opens the token, or shares the open one. Throws EngineError; TokenBusy when it is open with another PIN, unless that
   * is as good.
   */
  hold(access: TokenAccess, { anyPin = false } = {}): Promise<TokenHold> {
    const name = nameOf(access)
    return this.#tokens.run(name, async () => {
      const known = this.#open.get(name)
      if (known && known.pin !== access.pin && !anyPin)
        throw new TokenBusy('Another profile has the token open with another PIN.')
      const open = known ?? (await this.#opened(name, access))
      open.holds++
      let held = true
      const release = async () => {
        if (!held) return
        held = false
        await this.#tokens.run(name, () => this.#letGo(name, open))
      }
      return { token: open.token, release }
    })
  }

  async #opened(name: string, { modulePath, tokenLabel, pin }: TokenAccess): Promise<OpenToken> {
    const token = await openPkcs11({
      module: modulePath,
      ...(tokenLabel !== null && { token: tokenLabel }),
      ...(pin !== null && { pin }),
    })
    const open = { pin, token, holds: 0 }
    this.#open.set(name, open)
    return open
  }

  async #letGo(name: string, open: OpenToken): Promise<void> {
    if (--open.holds > 0) return
    this.#open.delete(name)
    await open.token.close()
  }
}

const nameOf = ({ modulePath, tokenLabel }: TokenAccess): string => `${modulePath}\n${tokenLabel ?? ''}`

/** A signer over a token of the pool that holds the token while it signs, however late that is. */
export function pooledSigner(
  pool: TokenPool,
  access: TokenAccess,
  { certificate, chain }: Pick<DigestSigner, 'certificate' | 'chain'>,
): DigestSigner {
  return {
    certificate,
    chain,
    async sign(request) {
      // A job of before a PIN was changed finds the token open already.
      const { token, release } = await pool.hold(access, { anyPin: true })
      try {
        return await token.signer(certificate.fingerprint).sign(request)
      } finally {
        await release()
      }
    },
    close: async () => {}, // the profile's own hold is what keeps the token open
  }
}
