import type { ConnectionCheck } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { CscServer } from './csc-server.ts'
import { readInfo, type ServerInfo } from './server-info.ts'

/** Methods required for signing. */
const needed = ['credentials/list', 'credentials/info', 'signatures/signHash']

/** Checks what is possible without a holder: the server's info and its content. */
export async function checkConnection(server: CscServer, signal?: AbortSignal): Promise<readonly ConnectionCheck[]> {
  try {
    const info = await readInfo(server, signal)
    return [{ name: 'info', ok: true, text: 'The server answers.' }, ...checks.map((check) => check(info, server))]
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    const { message, diagnosis } = error
    return [{ name: 'info', ok: false, text: diagnosis === undefined ? message : `${message} ${diagnosis}` }]
  }
}

type Check = (info: ServerInfo, server: CscServer) => ConnectionCheck

const checks: readonly Check[] = [
  ({ specs }, { dialect, knobs: { version } }) => {
    const ok = dialect.specs.some((begin) => `${specs}.`.startsWith(begin))
    const told = /^[\d.]{1,20}$/.test(specs) ? specs : 'something else'
    return { name: 'version', ok, text: `It speaks ${told}, the knob says ${version}.` }
  },
  ({ oauthBase }) => ({
    name: 'oauth2',
    ok: oauthBase !== undefined,
    text: oauthBase === undefined ? 'It names no usable authorization server.' : 'Its authorization server is known.',
  }),
  ({ methods }) => {
    const missing = needed.filter((method) => !methods.includes(method))
    const text = missing.length === 0 ? 'All methods that are needed.' : `It does not offer ${missing.join(', ')}.`
    return { name: 'methods', ok: missing.length === 0, text }
  },
]
