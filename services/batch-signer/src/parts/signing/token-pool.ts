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

/** A reference to an open token; releasing the last one closes it. */
interface TokenHold {
  readonly token: Pkcs11Token
  release(): Promise<void>
}

interface OpenToken {
  readonly pin: string | null
  readonly token: Pkcs11Token
  holds: number
}

/** A token is open with another PIN. */
export class TokenBusy extends Error {
  override readonly name = 'TokenBusy'
}

/**
 * The tokens of this process. A login belongs to the whole process, so profiles that use one token share it, and a
 * signature after its profile changed opens the token again.
 */
export class TokenPool {
  readonly #open = new Map<string, OpenToken>()
  /** Serializes opening and closing of one token: a half-closed token cannot be opened. */
  readonly #tokens = new KeyedMutex()

  /**
   * Opens the token, or shares the open one. Throws EngineError; TokenBusy when it is open with another PIN, unless
   * `anyPin` allows that.
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

/** A signer that holds its token from the pool only while it signs, whenever that is. */
export function pooledSigner(
  pool: TokenPool,
  access: TokenAccess,
  { certificate, chain }: Pick<DigestSigner, 'certificate' | 'chain'>,
): DigestSigner {
  return {
    certificate,
    chain,
    async sign(request) {
      // A job from before a PIN change may find the token already open.
      const { token, release } = await pool.hold(access, { anyPin: true })
      try {
        return await token.signer(certificate.fingerprint).sign(request)
      } finally {
        await release()
      }
    },
    close: async () => {}, // the profile's own reference keeps the token open
  }
}
