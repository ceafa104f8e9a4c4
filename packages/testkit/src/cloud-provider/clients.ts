import { createHash, timingSafeEqual } from 'node:crypto'

/** An application that may ask holders for their signatures. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
  /** Shown to the holder; default the id. */
  readonly name?: string
}

/** The applications this provider knows, of both protocols. */
export class Clients {
  readonly #byId = new Map<string, Client>()

  /** Adds an application, or replaces the one of this id. */
  register(client: Client): Client {
    this.#byId.set(client.clientId, client)
    return client
  }

  get(clientId: string | undefined): Client | undefined {
    return clientId === undefined ? undefined : this.#byId.get(clientId)
  }

  /** The application, if the secret is its own. */
  authenticate(clientId: string | undefined, secret: string | undefined): Client | undefined {
    const client = this.get(clientId)
    return client && secret !== undefined && isSame(client.clientSecret, secret) ? client : undefined
  }
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
