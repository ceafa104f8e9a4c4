// Tokens and cards that are here, whose they are, and which module shows them. No PIN is tried.
import { listPkcs11Certificates, type Pkcs11Shown } from '@chancela/signature-engine/keys'
import type { Certificate } from '@chancela/signature-engine/x509'
import { isSigner } from '../sources/token-source.ts'
import { cardWith, type KnownCard, middlewareOf } from './cards.ts'
import { installedModule, type Machine, type Middleware, middlewares } from './modules.ts'
import { listReaders, type Reader } from './readers.ts'

/** A token that an installed module shows. */
export interface FoundToken {
  /** Path of the module. */
  readonly module: string
  readonly middleware: Middleware
  readonly info: Pkcs11Shown['info']
  /** Those it may sign with. */
  readonly certificates: readonly Certificate[]
}

/** A reader, and what the tables say of its card. */
export interface SeenReader extends Reader {
  readonly card?: KnownCard | undefined
  /** Middleware that knows the card; none for an unknown one. */
  readonly middleware: readonly Middleware[]
  /** Whether one of them is installed. */
  readonly isInstalled: boolean
}

export interface Finding {
  /** Undefined where nothing tells what readers hold. */
  readonly readers: readonly SeenReader[] | undefined
  readonly tokens: readonly FoundToken[]
  /** Why installed modules could not be used. */
  readonly problems: readonly string[]
}

export async function findTokens(machine: Machine): Promise<Finding> {
  return { readers: await seenReaders(machine), ...(await tokensOf(machine)) }
}

/** Loads no module. */
export async function seenReaders(machine: Machine): Promise<readonly SeenReader[] | undefined> {
  const readers = await listReaders(machine)
  return readers?.map((reader) => {
    const card = reader.atr === undefined ? undefined : cardWith(reader.atr)
    const middleware = card ? middlewareOf(card) : []
    return { ...reader, card, middleware, isInstalled: middleware.some((each) => installedModule(each, machine)) }
  })
}

/** Every usual module that is installed is asked. */
async function tokensOf(machine: Machine): Promise<Pick<Finding, 'tokens' | 'problems'>> {
  const [tokens, problems]: [FoundToken[], string[]] = [[], []]
  for (const middleware of middlewares) {
    const module = installedModule(middleware, machine)
    if (module === undefined) continue
    try {
      tokens.push(...(await listPkcs11Certificates(module)).map((shown) => found(module, middleware, shown)))
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { tokens: onceEach(tokens), problems }
}

const found = (module: string, middleware: Middleware, { info, certificates }: Pkcs11Shown): FoundToken => ({
  module,
  middleware,
  info,
  certificates: certificates.map(({ certificate }) => certificate).filter(isSigner),
})

/** A token that two modules show counts as the first one's, which is the vendor's. */
function onceEach(tokens: readonly FoundToken[]): readonly FoundToken[] {
  const known = new Set<string>()
  return tokens.filter((token) => {
    const marks = [token.info.serialNumber, ...token.certificates.map(({ fingerprint }) => fingerprint)].filter(Boolean)
    const isNew = !marks.some((mark) => known.has(mark))
    for (const mark of marks) known.add(mark)
    return isNew
  })
}
