import { StartupProblem } from '../errors/index.ts'
import { type App, certificateOf } from '../http/index.ts'
import { isLoopback } from './transport.ts'

/** Where a surface listens; the values come from its settings section. */
export interface ListenAddress {
  readonly service: string
  readonly section: string
  readonly host: string
  readonly port: number
}

/** Listens, or says in one sentence which setting to change. */
export async function listen(app: App, address: ListenAddress): Promise<string> {
  try {
    await app.listen({ host: address.host, port: address.port })
    return boundUrl(app, address.host)
  } catch (error) {
    throw listenProblem(error, address) ?? error
  }
}

/** The system chooses a port for 0, so the URL is known only now. */
function boundUrl(app: App, host: string): string {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  const scheme = certificateOf(app) ? 'https' : 'http'
  return `${scheme}://${isAnyAddress(host) || isLoopback(host) ? 'localhost' : bracketed(host)}:${port}`
}

const isAnyAddress = (host: string) => host === '0.0.0.0' || host === '::'
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)

const sentences: Readonly<Record<string, (address: ListenAddress) => [setting: string, sentence: string]>> = {
  EADDRINUSE: ({ port }) => ['Port', `Port ${port} is already in use by another program.`],
  EACCES: ({ port }) => ['Port', `This user may not listen on port ${port}; ports below 1024 need a privilege.`],
  EADDRNOTAVAIL: ({ host }) => ['Host', `This machine has no address ${host}.`],
  ENOTFOUND: ({ host }) => ['Host', `The name ${host} has no address.`],
}

function listenProblem(error: unknown, address: ListenAddress): StartupProblem | undefined {
  const describe = sentences[(error as NodeJS.ErrnoException).code ?? '']
  if (!describe) return undefined
  const [key, sentence] = describe(address)
  const setting = `${address.service} ${address.section}:${key}`
  return new StartupProblem(`${sentence} Change the setting ${setting}.`, { setting, cause: error })
}
